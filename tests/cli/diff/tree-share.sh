# --min-share is the least share that is shown: a change of exactly a quarter of the whole is, of less is not.
printf 'main;a 75\nmain;b 25\n' >x.folded
printf 'main;a 50\nmain;b 50\n' >y.folded
printf 'main;a 51\nmain;b 49\n' >z.folded
profkit diff --view tree --min-share 25% --format csv x.folded y.folded
profkit diff --view tree --min-share 25% --format csv x.folded z.folded
