// Breaches of the law that every rule has one book and a test, and every test a rule.
import type { Violation } from './sandbox.ts';

export function ruleViolations(): readonly Violation[] {
  const spec = '# Rules\n\n- **OB1** A book has a best price.\n- **OB2** Nobody looks.\n';
  return [
    {
      breach: 'a rule has no test',
      tool: 'tidy',
      files: { 'engine/SPEC.md': spec },
      names: /SPEC\.md:4 rules: OB2 has no test/,
    },
    {
      breach: 'a book has a rule twice',
      tool: 'tidy',
      files: { 'engine/SPEC.md': spec.replace('OB2', 'OB1') },
      names: /engine\/SPEC\.md:4 rules: OB1 is a rule of engine\/SPEC\.md already/,
    },
    {
      breach: 'two books have a rule of one name',
      tool: 'tidy',
      files: { 'lane/SPEC.md': '# Rules\n\n- **OB1** A book has a best price.\n' },
      names: /lane\/SPEC\.md:3 rules: OB1 is a rule of engine\/SPEC\.md already/,
    },
    {
      breach: 'a book has a rule in a table',
      tool: 'tidy',
      files: { 'lane/SPEC.md': '# Rules\n\n| P1 | Nobody looks. |\n' },
      names: /lane\/SPEC\.md:3 rules: P1 is no rule as it stands/,
    },
    {
      breach: 'a folder with tests has no book',
      tool: 'tidy',
      files: { 'lane/src/bad.test.ts': titled('[OB1] works') },
      names: /lane\/SPEC\.md:1 rules: lane has tests and no book/,
    },
    {
      breach: 'a test of a suite that others share names no rule',
      tool: 'tidy',
      files: { 'engine/src/bad-suite.ts': `// A fixture.\n${titled('works')}` },
      names: /bad-suite\.ts:4 rules: the title "works" must begin with a rule id/,
    },
    testTitled('a test names no rule', 'works', 'must begin with a rule id'),
    testTitled('a test names a rule of no book', '[OB9] works', 'OB9 is a rule of no book'),
    testTitled(
      'a test names what is no id',
      '[OB1.2] works',
      '\\[OB1\\.2\\] is no list of rule ids',
    ),
  ];
}

function testTitled(breach: string, title: string, message: string): Violation {
  const names = new RegExp(`bad\\.test\\.ts:3 rules: .*${message}`);
  return { breach, tool: 'tidy', files: { 'engine/src/bad.test.ts': titled(title) }, names };
}

function titled(title: string): string {
  return `import { test } from 'vitest';\n\ntest('${title}', () => {});\n`;
}
