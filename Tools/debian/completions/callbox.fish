# fish completion of callbox(1)
complete -c callbox -f
complete -c callbox -n __fish_use_subcommand -a run -d 'the endpoint'
complete -c callbox -n __fish_use_subcommand -a lobby -d 'a room of its own'
complete -c callbox -n __fish_use_subcommand -a check -d 'says what is wrong with a configuration'
complete -c callbox -n __fish_use_subcommand -a devices -d 'what devices there are'
complete -c callbox -n __fish_use_subcommand -a status -d 'how the running endpoint is'
complete -c callbox -n __fish_use_subcommand -a ctl -d 'does what a button would do'
complete -c callbox -n __fish_use_subcommand -a release -d 'switches every LED and relay off'
complete -c callbox -n __fish_use_subcommand -a token -d 'makes a token for one participant'
complete -c callbox -n __fish_use_subcommand -a version -d 'prints the version'
complete -c callbox -n __fish_use_subcommand -a help -d 'prints the commands'
complete -c callbox -n '__fish_seen_subcommand_from run release status ctl' -l config -rF
complete -c callbox -n '__fish_seen_subcommand_from status ctl' -l socket -rF
complete -c callbox -n '__fish_seen_subcommand_from status devices ctl' -l json
complete -c callbox -n '__fish_seen_subcommand_from check' -F
complete -c callbox -n '__fish_seen_subcommand_from lobby token' -l key-file -rF
complete -c callbox -n '__fish_seen_subcommand_from lobby' -l address -x
complete -c callbox -n '__fish_seen_subcommand_from lobby' -l port -x
complete -c callbox -n '__fish_seen_subcommand_from lobby' -l certificate -rF
complete -c callbox -n '__fish_seen_subcommand_from lobby' -l private-key -rF
complete -c callbox -n '__fish_seen_subcommand_from lobby' -l self-signed
complete -c callbox -n '__fish_seen_subcommand_from lobby' -l keep-certificate -rF
complete -c callbox -n '__fish_seen_subcommand_from token' -l room -x
complete -c callbox -n '__fish_seen_subcommand_from token' -l id -x
complete -c callbox -n '__fish_seen_subcommand_from token' -l name -x
complete -c callbox -n '__fish_seen_subcommand_from token' -l hours -x
complete -c callbox -n '__fish_seen_subcommand_from token' -l audience
complete -c callbox -n '__fish_seen_subcommand_from token' -l admin
complete -c callbox -n '__fish_seen_subcommand_from help' -a keys
complete -c callbox -n '__fish_seen_subcommand_from ctl' -a 'state mute camera switch-camera call answer decline hang-up talk request-to-speak accept reject volume relay lines line tell restart-when-idle'
