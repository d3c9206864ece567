profkit
