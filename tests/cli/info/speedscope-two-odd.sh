# Ends of frames that are not the innermost are counted by profile: two have them, or the first one does.
frames='"shared":{"frames":[{"name":"a"},{"name":"b"}]}'
profile='{"type":"evented","name":"one","unit":"seconds","startValue":0,"endValue":3,"events":[
	{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":1},{"type":"C","frame":0,"at":2},{"type":"C","frame":1,"at":3}]}'
echo '{"$schema":"https://www.speedscope.app/file-format-schema.json",'"$frames,\"profiles\":[$profile,$profile]}" >odd.json
profkit hotspots --format csv odd.json
