// The wallets of users, kept by account where markets are shown: these name the wallet of their creator.
import { errorFields, type Log } from './gateway/log.ts';
import type { PlatformChange, PlatformStore } from './ports/platform.ts';
import type { CreatorWallet } from './ports/profiles.ts';
import { setCreatorWallet } from './wire/creator-address.ts';

type WalletPlatform = Pick<PlatformStore, 'profiles' | 'userById' | 'onChange'>;

export class CreatorWallets {
  readonly #platform: WalletPlatform;
  readonly #log: Log;
  /** The accounts of users who have a wallet: a closed user is found by id alone. */
  readonly #accounts = new Map<string, CreatorWallet['accounts']>();
  #stopListening: () => void = () => undefined;
  #work: Promise<void> = Promise.resolve();

  static async open(platform: WalletPlatform, log: Log): Promise<CreatorWallets> {
    const wallets = new CreatorWallets(platform, log);
    // Before the first read, so that a change during it is not lost.
    wallets.#stopListening = platform.onChange((change) => wallets.#follow(change));
    for (const known of await platform.profiles.wallets()) wallets.#keep(known);
    await wallets.#work;
    return wallets;
  }

  private constructor(platform: WalletPlatform, log: Log) {
    this.#platform = platform;
    this.#log = log;
  }

  /** Resolves once all changes so far are seen. */
  settle(): Promise<void> {
    return this.#work;
  }

  close(): void {
    this.#stopListening();
    for (const userId of this.#accounts.keys()) this.#drop(userId);
  }

  #follow(change: PlatformChange): void {
    if (change.kind !== 'user') return;
    const { userId } = change;
    const failed = (error: unknown): void =>
      this.#log.write('error', 'a wallet could not be read', { error: errorFields(error) });
    this.#work = this.#work.then(() => this.#read(userId)).catch(failed);
  }

  async #read(userId: string): Promise<void> {
    const user = await this.#platform.userById(userId);
    const profile = user === null ? null : await this.#platform.profiles.of(userId);
    const address = profile?.walletAddress ?? null;
    if (user === null || address === null) this.#drop(userId);
    else this.#keep({ userId, accounts: user.accounts, address });
  }

  #keep({ userId, accounts, address }: CreatorWallet): void {
    this.#accounts.set(userId, accounts);
    for (const accountId of Object.values(accounts)) setCreatorWallet(accountId, address);
  }

  #drop(userId: string): void {
    for (const accountId of Object.values(this.#accounts.get(userId) ?? {})) {
      setCreatorWallet(accountId, null);
    }
    this.#accounts.delete(userId);
  }
}
