import type {Target} from '../settings/target.ts';
import type {ActiveAccount, SessionChoices, SessionOptions} from './parts.ts';
/** A choice in the screens that starts another session; a context or environment without a name clears it. */
export type Restart =
	| {readonly to: 'simulated' | 'not simulated' | 'as started'}
	| {readonly to: 'context' | 'environment'; readonly name: string | undefined}
	| {readonly to: 'account'; readonly account: ActiveAccount}
	| {readonly to: 'target'; readonly target: Target};

/**
 * Applies a choice. A context determines the account; any choice except the simulated service ends the
 * simulation.
 */
export function applyRestart(choices: SessionChoices, restart: Restart): SessionChoices {
	const realChoices = {...choices, isSimulated: false};
	switch (restart.to) {
		case 'simulated':
			return {...choices, isSimulated: true};
		case 'not simulated':
			return realChoices;
		case 'as started':
			return {};
		case 'context': {
			const {account: _, ...otherChoices} = realChoices;
			return {...otherChoices, context: {name: restart.name}};
		}
		case 'environment':
			return {...realChoices, environment: {name: restart.name}};
		case 'account':
			return {...realChoices, account: restart.account};
		case 'target':
			return {...realChoices, target: restart.target};
		default:
			return restart satisfies never;
	}
}

/** True if any choice is active. */
export const hasChoices = ({isSimulated, context, account, environment, target}: SessionChoices): boolean =>
	isSimulated === true || (context ?? account ?? environment ?? target) !== undefined;

/**
 * Builds session options for these choices. The simulated service takes no option that names a place or
 * account.
 */
export function buildRestartOptions(startOptions: SessionOptions, choices: SessionChoices): SessionOptions {
	if (choices.isSimulated) {
		const {cwd, envFile, readOnly, concurrency} = startOptions;
		return {cwd, envFile, readOnly, concurrency, simulate: true, choices};
	}
	const {context, account, environment, target} = choices;
	return {
		...(context ? omitPlaceOptions(startOptions) : startOptions),
		...(context && {context: context.name ?? ''}),
		...(account && {accountId: account.id}),
		...(environment && {env: environment.name ?? ''}),
		...(target && {local: target === 'local' || undefined, remote: target === 'remote' || undefined}),
		choices,
	};
}

/** Drops options that a context replaces: account, sign-in, zone and address. */
function omitPlaceOptions(options: SessionOptions): SessionOptions {
	const {
		accountId: _,
		profile: _profile,
		zone: _zone,
		zoneId: _zoneId,
		baseUrl: _url,
		...remainingOptions
	} = options;
	return remainingOptions;
}
