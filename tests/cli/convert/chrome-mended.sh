# Arguments that are not quite JSON are written as JSON: numbers that it does not know become strings.
printf '[{"ph":"X","name":"A","pid":1,"tid":1,"ts":0,"dur":10,"args":{"v":[NaN,-Infinity,],"w":007,"x":"a\\tb\\\\q","y":{"z":1.5e3,"k":null,"e":{},"l":[]}}},
 {"ph":"X","name":"B","pid":1,"tid":1,"ts":20,"dur":10,"args":{"fine":1.50}}]' >odd.json
profkit convert -q odd.json -t chrome
