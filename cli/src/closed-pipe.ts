// Whoever reads what a command says may stop before all is said, as head does. That is no defect of the command.

/** Ends without a word. What goes on until Ctrl-C ends as by that, and tidies up. */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: Error & { readonly code?: string }) => {
    if (error.code !== 'EPIPE') throw error;
    if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM', 'SIGTERM');
    else process.exit();
  });
  // A bar or a note that nobody sees is no reason to leave the work half done.
  process.stderr.on('error', (error: Error & { readonly code?: string }) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
