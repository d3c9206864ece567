profkit help nothing
profkit help hotspotss
profkit help fromats
