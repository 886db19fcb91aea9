import type {ChoiceInWords} from '../../credentials/choice.ts';
import {asFailure, type Failure, isFailure} from '../../failure.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import {findLocalData, type LocalDataState, localDataRoot} from '../../session/namespaces.ts';
import {simulatedWorld, worldInWords} from '../../session/place.ts';
import type {Session} from '../../session/session.ts';
import {sessionTarget} from '../../session/target.ts';
import {baseUrl} from '../../settings/base-url.ts';
import type {Context} from '../../settings/contexts/context.ts';
import type {WrittenPlace} from '../../settings/contexts/production.ts';
import {shownPath, unreadConfiguration} from '../../settings/discovery.ts';
import {accountId, environmentName, readOnly} from '../../settings/settings.ts';
import type {Sourced} from '../../settings/sourced.ts';
import type {Target} from '../../settings/target.ts';
import type {Slice} from '../../store/slice.ts';

/** What ledge is connected to, and why. */
export type Connection = {
	readonly simulated: boolean;
	readonly readOnly: boolean;
	/** Where the session acts on keys unless the person chooses otherwise: Home offers it first. */
	readonly target: Target;
	/** Origin and path of the service, and where they were set: `Home` where the simulated one was chosen there. */
	readonly address: Sourced<string>;
	readonly configuration:
		| {
				readonly file: string;
				readonly bindings: number;
				readonly environments: readonly string[];
				readonly environment?: string | undefined;
		  }
		| undefined;
	/** What it is in words, and where it comes from; nothing was run for it. */
	readonly credential: ChoiceInWords | undefined;
	/** Why a credential that is configured, in part or whole, cannot be used. */
	readonly credentialProblem?: string | undefined;
	/** Whether the account was chosen in the screens. */
	readonly isAccountChosen?: boolean;
	/** The account, where it was named or the service was asked for it. */
	readonly accountId?: string | undefined;
	/** The context in force. */
	readonly context?: ContextHere | undefined;
	/** Where account, environment and target were set: `C` where they were chosen in the screens. */
	readonly from?: {
		readonly account?: string | undefined;
		readonly environment?: string | undefined;
		readonly target?: string | undefined;
	};
	/** A configuration file that is not read, where there is none that is. */
	readonly unread?: string | undefined;
	/** The folder of the local data, and whether there is any. */
	readonly localData: {readonly shownAs: string; readonly state: LocalDataState};
	readonly account:
		| {readonly state: 'unknown' | 'asking'}
		| {readonly state: 'known'; readonly label: string}
		| {readonly state: 'failed'; readonly failure: Failure};
	/** What is wrong with the settings themselves: then nothing else is known. */
	readonly problem?: Failure | undefined;
};

/** The context in force, and what named it: `C` where it was chosen in the screens. */
type ContextHere = Pick<Context, 'name' | 'accountId' | 'production' | 'color'> & {readonly named: string};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly connection: ConnectionSlice;
	}
}

type ConnectionSlice = {
	readonly data: Connection | undefined;
	/** The production context that a place of this session belongs to, if any. */
	isProduction(place: WrittenPlace & {readonly isLocal?: boolean}): Context | undefined;
	/** What is left of the quota of calls on keys; undefined for local data. */
	quotaFor(where: Target): QuotaLeft | undefined;
	/** Finds out, without the network, what is configured. Never fails: what is wrong becomes `problem`. */
	lookAround(): Promise<void>;
	/** The person asks again: a credential that was refused is asked for again, too. */
	askCredentialAgain(): void;
	/** Asks the service for the account. A failure is kept with the account, where Home shows it. */
	askAccount(signal: AbortSignal): Promise<void>;
};

export const createConnectionSlice: Slice<ConnectionSlice> = (set, get, {session}) => ({
	data: undefined,
	isProduction: place => session.production({label: '', ...place}),
	quotaFor: where => (where === 'local' ? undefined : session.quota()),
	async lookAround() {
		const {options, variables, simulated, contexts} = session;
		const {choices = {}} = options;
		const {inForce} = contexts;
		// A person chose it, and gave no option.
		const origin = (from: string | undefined) =>
			choices.context && from === inForce?.from ? `context ${inForce?.name}` : from;
		let common = {
			simulated,
			account: {state: 'unknown'} as const,
			target: 'remote' as Target,
			context: inForce && {...inForce, named: choices.context ? 'C' : inForce.named},
		};
		const broken = (error: unknown) =>
			set({
				data: {...common, ...unknown, readOnly: options.readOnly === true, problem: asFailure(error)},
			});
		try {
			common = {...common, target: sessionTarget(session).value};
			if (get().connection.data === undefined) get().namespaces.chooseTarget(common.target);
		} catch (error) {
			return broken(error);
		}
		if (simulated) {
			// Nothing that is configured counts there, so nothing that is wrong with it does.
			const from = choices.isSimulated ? 'Home' : '--simulate';
			const world = simulatedWorld(session);
			const value = world === undefined ? 'the simulated service' : worldInWords(world, session.cwd);
			const address = {value, from};
			set({
				data: {
					...common,
					address,
					readOnly: readOnly({options, variables}).value,
					configuration: undefined,
					credential: undefined,
					localData: {shownAs: '', state: 'none'},
				},
			});
			return;
		}
		try {
			const root = localDataRoot(session);
			const configuration = await session.configuration();
			const sources = await session.sources();
			const account = accountId(sources);
			const address = baseUrl(sources);
			const unread = configuration ? undefined : unreadConfiguration(session.cwd);
			set({
				data: {
					...common,
					from: {
						account: choices.account ? 'C' : origin(account?.from),
						environment: choices.environment ? 'C' : environmentName(sources)?.from,
						target: choices.target ? 'C' : origin(sessionTarget(session).from),
					},
					unread: unread && shownPath(unread, session.cwd),
					localData: {shownAs: shownPath(root, session.cwd), state: findLocalData(root)},
					readOnly: readOnly(sources).value,
					address: {...address, from: origin(address.from) ?? ''},
					configuration: configuration && {
						file: configuration.shownAs,
						bindings: configuration.namespaces.length,
						environments: configuration.environments,
						environment: configuration.environment,
					},
					...(await credentialFound(session)),
					accountId: account?.value,
					isAccountChosen: choices.account !== undefined,
				},
			});
		} catch (error) {
			broken(error);
		}
	},
	askCredentialAgain: () => session.askCredentialAgain(),
	async askAccount(signal) {
		const {simulated} = session;
		const change = (account: Connection['account']) => {
			const connection = get().connection.data;
			if (connection) set({data: {...connection, account}});
		};
		change({state: 'asking'});
		try {
			const {id, label, from} = await session.account(signal);
			change({state: 'known', label});
			const connection = get().connection.data;
			const findDrafts = get().drafts.find;
			const showPlaces = get().contexts.open;
			if (!connection || simulated) return;
			set({
				data: {
					...connection,
					accountId: id,
					from: {...connection.from, account: connection.from?.account ?? from},
				},
			});
			findDrafts();
			showPlaces();
		} catch (error) {
			const failure = asFailure(error);
			change(signal.aborted ? {state: 'unknown'} : {state: 'failed', failure});
			throw failure;
		}
	},
});

/** What is shown of settings that cannot be read. */
const unknown = {
	localData: {shownAs: '', state: 'none'},
	address: {value: '', from: ''},
	configuration: undefined,
	credential: undefined,
} as const;

/** The credential that would be used; or, where one was begun, what is missing of it. */
async function credentialFound(
	session: Session,
): Promise<Pick<Connection, 'credential' | 'credentialProblem'>> {
	const {choiceInWords, NoCredential} = await import('../../credentials/choice.ts');
	try {
		return {credential: choiceInWords(await session.credentialChoice(), new Date(session.clock.now()))};
	} catch (error) {
		if (!isFailure(error, 'credential_missing')) throw error;
		if (error instanceof NoCredential) return {credential: undefined};
		const {message, details} = error;
		const sentences = [message, details.why].filter(Boolean).join(' ');
		return {credential: undefined, credentialProblem: sentences.replaceAll('\n', ' ')};
	}
}
