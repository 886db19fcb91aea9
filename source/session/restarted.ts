import type {ActingAccount, SessionOptions} from './session.ts';

/** What a person chooses in the screens that makes another session of it. */
export type Restart = {readonly to: 'simulated' | 'as started'} | {readonly to: ActingAccount};

/**
 * The options of the session that comes next. The simulated service takes none that names a place or an account, and
 * what was given at the start holds again afterwards; an account that was chosen holds until another one is.
 */
export function restarted(started: SessionOptions, now: SessionOptions, {to}: Restart): SessionOptions {
	if (to === 'simulated') {
		const {cwd, envFile, readOnly, concurrency} = started;
		const {accountId, accountName} = now;
		return {
			cwd,
			envFile,
			readOnly,
			concurrency,
			accountId,
			accountName,
			simulate: true,
			simulateChosen: true,
		};
	}
	if (to !== 'as started') return {...now, accountId: to.id, accountName: to.label};
	const {accountId, accountName} = now;
	return accountName === undefined ? started : {...started, accountId, accountName};
}
