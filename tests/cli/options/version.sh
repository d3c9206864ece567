profkit --version
profkit -V | cmp - <(profkit info --version)
