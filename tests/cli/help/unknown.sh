status 2 profkit help nothing
status 2 profkit help hotspotss
profkit help fromats
