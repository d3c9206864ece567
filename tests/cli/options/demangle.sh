# Views show readable names, what converts keeps them; expressions see what is shown.
cat >x.folded <<'END'
main;_ZN4demo4workIiEEvT_ 3
main;_ZN4demo4workIiEEvT_;_RNvNtCsjrHSEGnQ3l9_3std2rt4init 2
main;_ZN4demo4workIlEEvT_ 4
main;_Zebra 1
END
profkit hotspots x.folded
profkit hotspots --demangle simple --sort self x.folded
profkit hotspots --demangle no --focus '^_ZN4demo4workIl' x.folded
profkit tree --focus 'work<long>' x.folded
profkit convert --to folded x.folded -
profkit convert --to folded --demangle simple --granularity function x.folded -
# Callers without call paths have readable names, too.
cat >callgrind.out.1 <<'END'
# callgrind format
events: ns

fn=main
1 10
cfn=_ZN4demo4workIiEEvT_
calls=2 5
2 30

fn=_ZN4demo4workIiEEvT_
5 30
END
profkit callers callgrind.out.1
