# Costs below 0 have no width: a box is never wider than that of its caller. The file is one of pprof: main;a 100,
# main;b -95, other;x 50, neg;y -30.
base64 -d >x.pb <<'X'
CgQIARACEgcKAgIBEgFkEhAKAgMBEgqh//////////8BEgcKAgUEEgEyEhAKAgcGEgri////////
//8BIgYIASICCAEqBAgBEAMiBggCIgIIAioECAIQBCIGCAMiAggDKgQIAxAFIgYIBCICCAQqBAgE
EAYiBggFIgIIBSoECAUQByIGCAYiAggGKgQIBhAIIgYIByICCAcqBAgHEAkyADIHc2FtcGxlczIF
Y291bnQyBG1haW4yAWEyAWIyBW90aGVyMgF4MgNuZWcyAXk=
X
profkit report x.pb -o page.html
grep -o '<title>[^<]*%</title>' page.html
grep -o '<p>Flame graph.*' page.html
grep -o '"whole_width".*"width":[^}]*' page.html
