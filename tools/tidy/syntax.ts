// Parses a source file and walks its syntax tree with the chain of ancestors at hand.
import { type Comment, parseSync } from 'oxc-parser';

export type SyntaxNode = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
};

export type Source = {
  readonly program: SyntaxNode;
  readonly comments: readonly Comment[];
};

export function parseSource(file: string, text: string): Source {
  const result = parseSync(file, text);
  const [error] = result.errors;
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`);
  const program: unknown = result.program;
  if (!isNode(program)) throw new Error(`${file} gave no program`);
  return { program, comments: result.comments };
}

export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void,
  ancestors: readonly SyntaxNode[] = [],
): void {
  visit(node, ancestors);
  const inner = [...ancestors, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, inner);
    }
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value
  );
}
