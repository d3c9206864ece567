# One function that was called once.
printf '{(\003\0\0\0s\004\0\0\0a.pyi\001\0\0\0s\001\0\0\0f(\005\0\0\0i\001\0\0\0i\001\0\0\0g\0\0\0\0\0\0\360?g\0\0\0\0\0\0\360?{00' >one.prof
profkit hotspots one.prof
