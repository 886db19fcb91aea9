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

export type Connection = {
	readonly simulated: boolean;
	readonly readOnly: boolean;
	/** Default target for keys, offered first on Home. */
	readonly target: Target;
	/** URL of the service, and where it was set; `Home` if the simulated one was chosen there. */
	readonly address: Sourced<string>;
	readonly configuration:
		| {
				readonly file: string;
				readonly bindings: number;
				readonly environments: readonly string[];
				readonly environment?: string | undefined;
		  }
		| undefined;
	/** Description and source of the credential; no command is run to determine them. */
	readonly credential: ChoiceInWords | undefined;
	/** Why a fully or partly configured credential cannot be used. */
	readonly credentialProblem?: string | undefined;
	/** True if the account was chosen in the screens. */
	readonly isAccountChosen?: boolean;
	/** Account id, if it was named or read from the service. */
	readonly accountId?: string | undefined;
	/** Active context. */
	readonly context?: ContextHere | undefined;
	/** Where account, environment and target were set; `C` if chosen in the screens. */
	readonly from?: {
		readonly account?: string | undefined;
		readonly environment?: string | undefined;
		readonly target?: string | undefined;
	};
	/** A configuration file that is ignored, if none is read. */
	readonly unread?: string | undefined;
	/** Folder of the local data, and its state. */
	readonly localData: {readonly shownAs: string; readonly state: LocalDataState};
	readonly account:
		| {readonly state: 'unknown' | 'asking'}
		| {readonly state: 'known'; readonly label: string}
		| {readonly state: 'failed'; readonly failure: Failure};
	/** Why the settings cannot be read; then nothing else is known. */
	readonly problem?: Failure | undefined;
};

/** The active context, and what named it: `C` if it was chosen in the screens. */
type ContextHere = Pick<Context, 'name' | 'accountId' | 'production' | 'color'> & {readonly named: string};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly connection: ConnectionSlice;
	}
}

type ConnectionSlice = {
	readonly data: Connection | undefined;
	/** Returns the production context that a place belongs to, if any. */
	isProduction(place: WrittenPlace & {readonly isLocal?: boolean}): Context | undefined;
	/** Returns the remaining quota for key operations; undefined for local data. */
	quotaFor(where: Target): QuotaLeft | undefined;
	/** Reads the configuration without the network. Never fails: an error becomes `problem`. */
	lookAround(): Promise<void>;
	/** Lets a refused credential be asked for again. */
	askCredentialAgain(): void;
	/** Reads the account from the service. A failure is kept for Home to show. */
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
		// // Chosen in the screens, not by an option.
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
			// // The configuration is ignored there, and so are its errors.
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

/** Placeholder for settings that cannot be read. */
const unknown = {
	localData: {shownAs: '', state: 'none'},
	address: {value: '', from: ''},
	configuration: undefined,
	credential: undefined,
} as const;

/** Describes the credential that would be used, or what a partly configured one lacks. */
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
