import type {ChoiceDescription} from '../../credentials/choice.ts';
import {type Failure, isFailure, toFailure} from '../../failure.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import {getLocalDataRoot, getLocalDataState, type LocalDataState} from '../../session/namespaces.ts';
import {formatWorld, getSimulatedWorld} from '../../session/place.ts';
import type {Session} from '../../session/session.ts';
import {getSessionTarget} from '../../session/target.ts';
import {resolveBaseUrl} from '../../settings/base-url.ts';
import type {Context} from '../../settings/contexts/context.ts';
import type {WrittenPlace} from '../../settings/contexts/production.ts';
import {findUnreadConfiguration, formatPath} from '../../settings/discovery.ts';
import type {Preferences} from '../../settings/preferences/preferences.ts';
import {resolveAccountId, resolveEnvironmentName, resolveReadOnly} from '../../settings/settings.ts';
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
	readonly credential: ChoiceDescription | undefined;
	/** Why a fully or partly configured credential cannot be used. */
	readonly credentialProblem?: string | undefined;
	/** True if the account was chosen in the screens. */
	readonly isAccountChosen?: boolean;
	/** Account id, if it was named or read from the service. */
	readonly accountId?: string | undefined;
	/** Active context. */
	readonly context?: ActiveContext | undefined;
	/** Where account, environment and target were set; `C` if chosen in the screens. */
	readonly origins?: {
		readonly account?: string | undefined;
		readonly environment?: string | undefined;
		readonly target?: string | undefined;
	};
	/** A configuration file that is ignored, if none is read. */
	readonly ignoredFile?: string | undefined;
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
type ActiveContext = Pick<Context, 'name' | 'accountId' | 'production' | 'color'> & {readonly named: string};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly connection: ConnectionSlice;
	}
}

type ConnectionSlice = {
	readonly data: Connection | undefined;
	readonly preferences: Preferences | undefined;
	/** Replaces the preferences after their file has changed. The target of this session stays. */
	setPreferences(preferences: Preferences | undefined): void;
	/** Returns the production context that a place belongs to, if any. */
	findProductionContext(place: WrittenPlace & {readonly isLocal?: boolean}): Context | undefined;
	/** Returns the remaining quota for key operations; undefined for local data. */
	getQuotaLeft(where: Target): QuotaLeft | undefined;
	/** Reads the configuration without the network. Never fails: an error becomes `problem`. */
	loadConnection(): Promise<void>;
	/** Lets a refused credential be asked for again. */
	retryCredential(): void;
	/** Reads the account from the service. A failure is kept for Home to show. */
	loadAccount(signal: AbortSignal): Promise<void>;
};

export const createConnectionSlice: Slice<ConnectionSlice> = (set, get, {session}) => ({
	data: undefined,
	preferences: session.preferences,
	setPreferences: preferences => set({preferences}),
	findProductionContext: place => session.findProduction({label: '', ...place}),
	getQuotaLeft: where => (where === 'local' ? undefined : session.quota()),
	async loadConnection() {
		const {options, variables, simulated, contexts} = session;
		const {choices = {}} = options;
		const {active} = contexts;
		// Chosen in the screens, not by an option.
		const getOrigin = (from: string | undefined) =>
			choices.context && from === active?.from ? `context ${active?.name}` : from;
		let sharedData = {
			simulated,
			account: {state: 'unknown'} as const,
			target: 'remote' as Target,
			context: active && {...active, named: choices.context ? 'C' : active.namedBy},
		};
		const showProblem = (error: unknown) =>
			set({
				data: {
					...sharedData,
					...unknownSettings,
					readOnly: options.readOnly === true,
					problem: toFailure(error),
				},
			});
		try {
			sharedData = {...sharedData, target: getSessionTarget(session).value};
			if (get().connection.data === undefined) get().namespaces.chooseTarget(sharedData.target);
		} catch (error) {
			return showProblem(error);
		}
		if (simulated) {
			// The configuration is ignored there, and so are its errors.
			const from = choices.isSimulated ? 'Home' : '--simulate';
			const world = getSimulatedWorld(session);
			const value = world === undefined ? 'the simulated service' : formatWorld(world, session.cwd);
			const address = {value, from};
			set({
				data: {
					...sharedData,
					address,
					readOnly: resolveReadOnly({options, variables}).value,
					configuration: undefined,
					credential: undefined,
					localData: {shownAs: '', state: 'none'},
				},
			});
			return;
		}
		try {
			const root = getLocalDataRoot(session);
			const configuration = await session.configuration();
			const sources = await session.sources();
			const account = resolveAccountId(sources);
			const address = resolveBaseUrl(sources);
			const ignoredFile = configuration ? undefined : findUnreadConfiguration(session.cwd);
			set({
				data: {
					...sharedData,
					origins: {
						account: choices.account ? 'C' : getOrigin(account?.from),
						environment: choices.environment ? 'C' : resolveEnvironmentName(sources)?.from,
						target: choices.target ? 'C' : getOrigin(getSessionTarget(session).from),
					},
					ignoredFile: ignoredFile && formatPath(ignoredFile, session.cwd),
					localData: {shownAs: formatPath(root, session.cwd), state: getLocalDataState(root)},
					readOnly: resolveReadOnly(sources).value,
					address: {...address, from: getOrigin(address.from) ?? ''},
					configuration: configuration && {
						file: configuration.shownAs,
						bindings: configuration.namespaces.length,
						environments: configuration.environments,
						environment: configuration.environment,
					},
					...(await describeCredential(session)),
					accountId: account?.value,
					isAccountChosen: choices.account !== undefined,
				},
			});
		} catch (error) {
			showProblem(error);
		}
	},
	retryCredential: () => session.forgetCredentialRejections(),
	async loadAccount(signal) {
		const {simulated} = session;
		const setAccount = (account: Connection['account']) => {
			const connection = get().connection.data;
			if (connection) set({data: {...connection, account}});
		};
		setAccount({state: 'asking'});
		try {
			const {id, label, from} = await session.account(signal);
			setAccount({state: 'known', label});
			const connection = get().connection.data;
			const refreshDrafts = get().drafts.refresh;
			const openContexts = get().contexts.open;
			if (!connection || simulated) return;
			set({
				data: {
					...connection,
					accountId: id,
					origins: {...connection.origins, account: connection.origins?.account ?? from},
				},
			});
			refreshDrafts();
			openContexts();
		} catch (error) {
			const failure = toFailure(error);
			setAccount(signal.aborted ? {state: 'unknown'} : {state: 'failed', failure});
			throw failure;
		}
	},
});

/** Placeholder for settings that cannot be read. */
const unknownSettings = {
	localData: {shownAs: '', state: 'none'},
	address: {value: '', from: ''},
	configuration: undefined,
	credential: undefined,
} as const;

/** Describes the credential that would be used, or what a partly configured one lacks. */
async function describeCredential(
	session: Session,
): Promise<Pick<Connection, 'credential' | 'credentialProblem'>> {
	const {describeChoice, NoCredential} = await import('../../credentials/choice.ts');
	try {
		return {credential: describeChoice(await session.credentialChoice(), new Date(session.clock.now()))};
	} catch (error) {
		if (!isFailure(error, 'credential_missing')) throw error;
		if (error instanceof NoCredential) return {credential: undefined};
		const {message, details} = error;
		const sentences = [message, details.why].filter(Boolean).join(' ');
		return {credential: undefined, credentialProblem: sentences.replaceAll('\n', ' ')};
	}
}
