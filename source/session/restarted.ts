import type {Target} from '../settings/target.ts';
import type {ActingAccount, Choices, SessionOptions} from './parts.ts';
/** What a person chooses in the screens that makes another session of it; a context or environment without a name is none. */
export type Restart =
	| {readonly to: 'simulated' | 'not simulated' | 'as started'}
	| {readonly to: 'context' | 'environment'; readonly name: string | undefined}
	| {readonly to: 'account'; readonly account: ActingAccount}
	| {readonly to: 'target'; readonly target: Target};

/** The choices after another one. A context decides the account; whatever is chosen but the simulated service ends the simulation. */
export function choicesAfter(choices: Choices, into: Restart): Choices {
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

/** Whether anything was chosen that holds now. */
export const isChosen = ({isSimulated, context, account, environment, target}: Choices): boolean =>
	isSimulated === true || (context ?? account ?? environment ?? target) !== undefined;

/** The options of a session with these choices. The simulated service takes no option that names a place or an account. */
export function optionsWith(started: SessionOptions, choices: Choices): SessionOptions {
	if (choices.isSimulated) {
		const {cwd, envFile, readOnly, concurrency} = started;
		return {cwd, envFile, readOnly, concurrency, simulate: true, choices};
	}
	const {context, account, environment, target} = choices;
	return {
		...(context ? withoutPlace(started) : started),
		...(context && {context: context.name ?? ''}),
		...(account && {accountId: account.id}),
		...(environment && {env: environment.name ?? ''}),
		...(target && {local: target === 'local' || undefined, remote: target === 'remote' || undefined}),
		choices,
	};
}

/** A context takes the place of all that names an account, a sign-in, a zone or an address. */
function withoutPlace(options: SessionOptions): SessionOptions {
	const {accountId: _, profile: _profile, zone: _zone, zoneId: _zoneId, baseUrl: _url, ...rest} = options;
	return rest;
}
