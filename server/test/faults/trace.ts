// Reads what strace wrote: the calls that change files, in the order in which they returned, with their data.

export type FileCall =
  | { readonly kind: 'create'; readonly path: string; readonly node: 'file' | 'directory' }
  | { readonly kind: 'sync' | 'unlink'; readonly path: string }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly offset: number;
      readonly data: Buffer;
    }
  | { readonly kind: 'truncate'; readonly path: string; readonly length: number }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  /** A write to standard output: what the outside world has seen. */
  | { readonly kind: 'said'; readonly text: string }
  /** strace made the call fail. */
  | { readonly kind: 'injected'; readonly call: string; readonly path: string };

export const TRACED =
  'openat,open,creat,write,writev,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,unlink,unlinkat,link,linkat,mkdir,mkdirat';

/** Options that make strace write what `parseTrace` reads. */
export function traceOptions(output: string): readonly string[] {
  return [
    '-f',
    '--seccomp-bpf',
    '-y',
    '-xx',
    '-s',
    '1100000',
    '-o',
    output,
    '-e',
    `trace=${TRACED}`,
  ];
}

/** Only calls on files under the directory count, and what was said on standard output. */
export function parseTrace(text: string, directory: string): FileCall[] {
  const unfinished = new Map<string, string>();
  const calls: FileCall[] = [];
  for (const line of text.split('\n')) {
    const match = /^(\d+) +(.*)$/.exec(line);
    if (match === null) continue;
    const [, thread, rest] = match;
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(rest!);
    if (begun !== null) {
      unfinished.set(thread!, begun[1]!);
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest!);
    const whole = resumed === null ? rest! : `${unfinished.get(thread!) ?? ''}${resumed[1]!}`;
    const call = parseCall(whole, directory);
    if (call !== null) calls.push(call);
  }
  return calls;
}

function parseCall(text: string, directory: string): FileCall | null {
  const match = /^(\w+)\((.*)\)\s+= (-?\d+)(.*)$/s.exec(text);
  if (match === null) return null;
  const [, name, args, result, note] = match;
  const paths = pathsIn(args!);
  const isOurs = paths.some((path) => path === directory || path.startsWith(`${directory}/`));
  if (note!.includes('INJECTED'))
    return {
      kind: 'injected',
      call: name!,
      path: (name === 'openat' ? paths.at(-1) : paths[0]) ?? '',
    };
  if (name === 'write' && args!.startsWith('1<'))
    return { kind: 'said', text: dataIn(args!).toString('utf8') };
  if (!isOurs || Number(result) < 0) return null;
  return fileCall(name!, args!, paths, Number(result));
}

function fileCall(
  name: string,
  args: string,
  paths: readonly string[],
  result: number,
): FileCall | null {
  const path = paths.at(-1)!;
  switch (name) {
    case 'openat':
      if (args.includes('O_TRUNC')) return { kind: 'truncate', path, length: 0 };
      return args.includes('O_CREAT') ? { kind: 'create', path, node: 'file' } : null;
    case 'pwrite64': {
      const offset = Number(/, (\d+)$/.exec(args)?.[1]);
      return { kind: 'write', path: paths[0]!, offset, data: dataIn(args).subarray(0, result) };
    }
    case 'write':
      return {
        kind: 'write',
        path: paths[0]!,
        offset: Number.NaN,
        data: dataIn(args).subarray(0, result),
      };
    case 'ftruncate':
      return { kind: 'truncate', path: paths[0]!, length: Number(/, (\d+)$/.exec(args)?.[1]) };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', path: paths[0]! };
    case 'rename':
    case 'renameat':
    case 'renameat2': {
      const [from, to] = namesIn(args);
      return { kind: 'rename', path: from!, to: to! };
    }
    case 'unlink':
    case 'unlinkat':
      return { kind: 'unlink', path };
    case 'mkdir':
    case 'mkdirat':
      return { kind: 'create', path, node: 'directory' };
    default:
      throw new Error(`the image builder does not know ${name}`);
  }
}

/** Absolute names alone, without the folders that descriptors stand for: which calls there are depends on the processor. */
function namesIn(args: string): string[] {
  return pathsIn(args.replaceAll(/<[^<>]*>/g, ''));
}

/** Descriptors come as 3<\x2f…>, names as "\x2f…"; the data of a write do not begin with a slash in our files. */
function pathsIn(args: string): string[] {
  const paths: string[] = [];
  for (const match of args.matchAll(/<((?:\\x[0-9a-f]{2})+)>|"((?:\\x[0-9a-f]{2}){1,4096})"/g)) {
    const text = fromHex(match[1] ?? match[2]!).toString('utf8');
    if (text.startsWith('/')) paths.push(text);
  }
  return paths;
}

function dataIn(args: string): Buffer {
  const start = args.indexOf('"');
  const end = args.lastIndexOf('"');
  return start < 0 ? Buffer.alloc(0) : fromHex(args.slice(start + 1, end));
}

function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
