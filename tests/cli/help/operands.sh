profkit help info help
