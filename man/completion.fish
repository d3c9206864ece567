# fish completion for profkit
@COMMANDS@