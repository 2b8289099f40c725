// sibyl completion: scripts for shells that know every command, option and choice, made from the program itself.

import { Argument, type Command, type Option } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>').choices([...shells]))
    .addHelpText(
      'after',
      `
Examples:
  sibyl completion bash > ~/.local/share/bash-completion/completions/sibyl
  sibyl completion zsh > ~/.zfunc/_sibyl            # a folder of your fpath
  sibyl completion fish > ~/.config/fish/completions/sibyl.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(scriptFor(shell, program));
    });
}

/** One command: the names that lead to it, and what may come after them. */
interface Place {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** What an argument may be. */
  readonly choices: readonly string[];
  /** What an option may be, by its flag. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

interface Word {
  readonly name: string;
  readonly about: string;
}

function scriptFor(shell: Shell, program: Command): string {
  const places = placesOf(program, '');
  return shell === 'fish' ? fishScript(places) : bashScript(places, shell);
}

function placesOf(command: Command, path: string): readonly Place[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  const place: Place = {
    path,
    commands: command.commands.map((child) => ({ name: child.name(), about: child.description() })),
    options: [...options.map(wordOf), { name: '--help', about: 'how it is used' }],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    values: new Map(
      options.flatMap((option) =>
        option.long === undefined || option.argChoices === undefined
          ? []
          : [[option.long, option.argChoices] as const],
      ),
    ),
  };
  const below = command.commands.flatMap((child) =>
    placesOf(child, path === '' ? child.name() : `${path} ${child.name()}`),
  );
  return [place, ...below];
}

function wordOf({ long, short, flags, description }: Option): Word {
  return { name: long ?? short ?? flags, about: description };
}

/** zsh reads the same script through its own bashcompinit. */
function bashScript(places: readonly Place[], shell: 'bash' | 'zsh'): string {
  const opening =
    shell === 'zsh'
      ? '#compdef sibyl\nautoload -U +X bashcompinit && bashcompinit\n'
      : '# Completes sibyl in bash.\n';
  return `${opening}
_sibyl_commands() {
  case "$1" in
${cases(places, ({ commands }) => names(commands))}  esac
}

_sibyl_options() {
  case "$1" in
${cases(places, ({ options }) => names(options))}  esac
}

_sibyl_choices() {
  case "$1" in
${cases(places, ({ choices }) => choices.join(' '))}  esac
}

_sibyl_values() {
  case "$1" in
${valueCases(places)}  esac
}

_sibyl() {
  local current previous place word words at
  current="\${COMP_WORDS[COMP_CWORD]}"
  previous="\${COMP_WORDS[COMP_CWORD-1]}"
  place=""
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case " $(_sibyl_commands "$place") " in
      *" $word "*) place="\${place:+$place }$word" ;;
    esac
  done
  words="$(_sibyl_values "$place $previous")"
  if [ -z "$words" ]; then
    case "$current" in
      -*) words="$(_sibyl_options "$place")" ;;
      *) words="$(_sibyl_commands "$place") $(_sibyl_choices "$place")" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -o default -F _sibyl sibyl
`;
}

function cases(places: readonly Place[], words: (place: Place) => string): string {
  return places
    .map((place) => ({ path: place.path, text: words(place) }))
    .filter(({ text }) => text !== '')
    .map(({ path, text }) => `    '${path}') echo '${text}' ;;\n`)
    .join('');
}

function valueCases(places: readonly Place[]): string {
  return places
    .flatMap(({ path, values }) =>
      [...values].map(
        ([flag, choices]) => `    '${path} ${flag}') echo '${choices.join(' ')}' ;;\n`,
      ),
    )
    .join('');
}

function names(words: readonly Word[]): string {
  return words.map(({ name }) => name).join(' ');
}

function fishScript(places: readonly Place[]): string {
  return `# Completes sibyl in fish.
function __sibyl_place
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
${places
  .flatMap(({ path, commands }) =>
    commands.map(({ name }) => {
      const next = path === '' ? name : `${path} ${name}`;
      return `      case '${path} ${name}'\n        set place '${next}'\n`;
    }),
  )
  .join('')}    end
  end
  echo $place
end

complete -c sibyl -f
${places.map(fishLines).join('')}`;
}

function fishLines({ path, commands, options, choices, values }: Place): string {
  const here = `complete -c sibyl -n 'test (__sibyl_place) = "${path}"'`;
  const lines = [
    ...commands.map(({ name, about }) => `${here} -a '${name}' -d ${fishText(about)}`),
    ...choices.map((choice) => `${here} -a '${choice}'`),
    ...options.map(({ name, about }) => {
      const taken = values.get(name);
      const value = taken === undefined ? '' : ` -x -a '${taken.join(' ')}'`;
      return `${here} -l '${name.replace(/^-+/, '')}'${value} -d ${fishText(about)}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first line of it, short: a shell shows it beside the word. */
function fishText(text: string): string {
  const [line = ''] = text.split(/[.;:\n]/);
  return `'${line.slice(0, 80).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
