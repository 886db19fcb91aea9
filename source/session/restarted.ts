import type {Target} from '../settings/target.ts';
import type {ActingAccount, Choices, SessionOptions} from './parts.ts';
/** A choice in the screens that starts another session; a context or environment without a name clears it. */
export type Restart =
	| {readonly to: 'simulated' | 'not simulated' | 'as started'}
	| {readonly to: 'context' | 'environment'; readonly name: string | undefined}
	| {readonly to: 'account'; readonly account: ActingAccount}
	| {readonly to: 'target'; readonly target: Target};

/**
 * Applies a choice. A context determines the account; any choice except the simulated service ends the
 * simulation.
 */
export function applyRestart(choices: Choices, into: Restart): Choices {
	const real = {...choices, isSimulated: false};
	switch (into.to) {
		case 'simulated':
			return {...choices, isSimulated: true};
		case 'not simulated':
			return real;
		case 'as started':
			return {};
		case 'context': {
			const {account: _, ...rest} = real;
			return {...rest, context: {name: into.name}};
		}
		case 'environment':
			return {...real, environment: {name: into.name}};
		case 'account':
			return {...real, account: into.account};
		case 'target':
			return {...real, target: into.target};
		default:
			return into satisfies never;
	}
}

/** True if any choice is active. */
export const hasChoices = ({isSimulated, context, account, environment, target}: Choices): boolean =>
	isSimulated === true || (context ?? account ?? environment ?? target) !== undefined;

/**
 * Builds session options for these choices. The simulated service takes no option that names a place or
 * account.
 */
export function buildRestartOptions(started: SessionOptions, choices: Choices): SessionOptions {
	if (choices.isSimulated) {
		const {cwd, envFile, readOnly, concurrency} = started;
		return {cwd, envFile, readOnly, concurrency, simulate: true, choices};
	}
	const {context, account, environment, target} = choices;
	return {
		...(context ? omitPlaceOptions(started) : started),
		...(context && {context: context.name ?? ''}),
		...(account && {accountId: account.id}),
		...(environment && {env: environment.name ?? ''}),
		...(target && {local: target === 'local' || undefined, remote: target === 'remote' || undefined}),
		choices,
	};
}

/** Drops options that a context replaces: account, sign-in, zone and address. */
function omitPlaceOptions(options: SessionOptions): SessionOptions {
	const {accountId: _, profile: _profile, zone: _zone, zoneId: _zoneId, baseUrl: _url, ...rest} = options;
	return rest;
}
