#compdef profkit
local -a commands
commands=(
@NAMES@)
if (( CURRENT == 2 )); then
  _describe -t commands command commands
  _files
  [[ $PREFIX != -* ]] || compadd -- --help --version
  return
fi
shift words
(( CURRENT-- ))
case $words[1] in
@COMMANDS@  *)
    _files ;;
esac
