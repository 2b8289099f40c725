// The child's side: runs each task it is sent and answers with what was measured.
import type { Suite } from '../suite.ts';

/** A task that throws ends the process: its numbers would be worth nothing. */
export function serveTasks(suite: Suite): void {
  process.on('message', (message: unknown) => {
    void runTask(suite, message);
  });
  process.on('disconnect', () => process.exit(0));
}

async function runTask(suite: Suite, message: unknown): Promise<void> {
  const { name, args } = decodeRequest(message);
  const task = Object.hasOwn(suite.tasks, name) ? suite.tasks[name] : undefined;
  if (task === undefined) throw new Error(`${suite.name} has no task ${name}`);
  process.send?.(await task(args));
}

function decodeRequest(message: unknown): { name: string; args: readonly string[] } {
  if (typeof message === 'object' && message !== null && 'task' in message && 'args' in message) {
    const { task, args } = message;
    if (typeof task === 'string' && Array.isArray(args))
      return { name: task, args: args.map(String) };
  }
  throw new Error('a request names a task and its arguments');
}
