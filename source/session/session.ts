import {dirname, isAbsolute, resolve} from 'node:path';
import type {CredentialChoice} from '../credentials/choice.ts';
import type {Credential} from '../credentials/credential.ts';
import type {CredentialSource} from '../credentials/source.ts';
import {createReadOnlyFailure, Failure} from '../failure.ts';
import type {HostClock} from '../host.ts';
import type {StartRehearsal} from '../migration/flow/rehearsal.ts';
import type {Client} from '../service/client.ts';
import {fullQuota, type QuotaLeft} from '../service/limiter.ts';
import type {Configuration} from '../settings/configuration.ts';
import {
	enterContext,
	findContexts,
	getAccountLabel,
	type KnownContexts,
} from '../settings/contexts/active-context.ts';
import type {Context} from '../settings/contexts/context.ts';
import {findPossibleProduction, findProductionContext} from '../settings/contexts/production.ts';
import {readPreferences} from '../settings/preferences/file.ts';
import {type Preferences, summarizePreferenceProblems} from '../settings/preferences/preferences.ts';
import {
	resolveAccountId,
	resolveEnvironmentName,
	resolveReadOnly,
	type SettingSources,
} from '../settings/settings.ts';
import {readVariables, type Variables} from '../settings/variables.ts';
import {getPathStatus} from '../state/directory.ts';
import {type Audit, type AuditReports, createAudit} from './audit.ts';
import {explainFailures, findOnlyAccount, withDebugLog} from './client.ts';
import {createSessionCredentials} from './credentials.ts';
import {memoize} from './memoize.ts';
import type {ActiveAccount, SessionEvents, SessionOptions, SessionParts} from './parts.ts';
import type {PermittedPlace, WritePlace} from './write-place.ts';
/**
 * Configuration, settings, client and account for commands and screens, each resolved when first requested.
 * Failures are retried on the next request.
 */
export type Session = Disposable &
	Audit & {
		readonly options: SessionOptions;
		readonly env: NodeJS.ProcessEnv;
		readonly cwd: string;
		readonly clock: HostClock;
		readonly events: SessionEvents;
		/** Environment variables, including those of `--env-file`. */
		readonly variables: Variables;
		/** True if it acts on the simulated service. */
		readonly simulated: boolean;
		/** Contexts of this machine, and the active one. */
		readonly contexts: KnownContexts;
		/** The user's own configuration file, if it exists. */
		readonly preferences: Preferences | undefined;
		/**
		 * Returns the production context of a place, if any; none for local data and the simulated service.
		 */
		findProduction(place: WritePlace): Context | undefined;
		/**
		 * Permits writes to a place; every writer calls it as soon as the place is known, before reading what
		 * the write depends on. For production it asks the person, naming account and namespace or zone.
		 * Fails with `declined` or `unconfirmed`.
		 */
		permit(place: WritePlace, action: string): Promise<PermittedPlace>;
		/** Returns the checked configuration file; reports its warnings once. */
		configuration(): Promise<Configuration | undefined>;
		/** Returns the sources of all settings. */
		sources(): Promise<SettingSources>;
		client(): Promise<Client>;
		/** Returns the remaining quota of calls. */
		quota(): QuotaLeft;
		/** Namespace ids from bindings, with binding, file and line, for failures about them. */
		readonly boundIds: Map<string, string>;
		/** Returns where the credential will come from, without running anything. */
		credentialChoice(): Promise<CredentialChoice>;
		/** Returns the current credential. May run a credential command or wrangler, once. */
		credential(): Promise<Credential>;
		/** Forgets that credentials were rejected, for a person who retries: they are requested again. */
		forgetCredentialRejections(): void;
		account(signal: AbortSignal): Promise<ActiveAccount>;
		/** Creates the simulated service of a rehearsal, never what this session acts on. */
		readonly startRehearsal: StartRehearsal;
		/** True if writes are refused. Fails with `usage` if that is misspelt. */
		isReadOnly(): boolean;
		/** Fails with `read_only` if writes are refused; every writer calls it first. */
		refuseWhenReadOnly(action: string): void;
		/** Returns a session with other options; it ends with this one. */
		withOptions(options: SessionOptions): Session;
		/**
		 * Returns a session in a context named with a store or recorded in a job; uses the context's account,
		 * credential and address instead of the command line's. Fails with `context_unknown`. It ends with
		 * this one.
		 */
		withContext(name: string, naming: 'store' | 'job'): Session;
	};

/** State shared by all sessions of one command line or start of the screens. */
type SharedState = AuditReports & {
	readonly credentials: Map<string, CredentialSource>;
	/** Contexts that were named explicitly. */
	readonly namedContexts: Set<string>;
	readonly boundIds: Map<string, string>;
};

const noContexts: KnownContexts = {contextsFile: undefined, active: undefined};

export function createSession(
	options: SessionOptions,
	parts: SessionParts,
	shared: SharedState = {
		isAuditReported: false,
		credentials: parts.credentials ?? new Map(),
		namedContexts: new Set(),
		boundIds: new Map(),
	},
): Session {
	const {env, events, clock = {now: Date.now}, startSimulated, startRehearsal, contexts = noContexts} = parts;
	const cwd = resolveWorkingFolder(parts, options.cwd);
	const variables = readVariables(env, options.envFile, cwd);
	const baseSources: SettingSources = {
		options,
		variables,
		startFolder: options.config === undefined ? cwd : dirname(resolve(cwd, options.config)),
		...(options.prefix && {prefix: options.prefix}),
		...(contexts.active && {context: contexts.active}),
		hasContexts: (contexts.contextsFile?.all.length ?? 0) > 0,
	};
	const simulated = options.simulate === true;
	const {active} = contexts;
	if (active?.namedBy === '--context' || active?.namedBy === 'store') shared.namedContexts.add(active.name);
	const disposables: Disposable[] = [];
	const isReadOnly = (): boolean => resolveReadOnly(baseSources).value;

	const configuration = memoize(async () => {
		const {readConfiguration} = await import('../settings/configuration.ts');
		const loaded = await readConfiguration({
			cwd,
			configurationPath: options.config,
			environment: resolveEnvironmentName(baseSources),
		});
		for (const warning of loaded?.warnings ?? []) events.warn(warning);
		return loaded;
	});

	const sources = async (): Promise<SettingSources> => ({
		...baseSources,
		configuration: await configuration(),
	});

	let connectedClient: Client | undefined;
	const client = memoize(async () => (connectedClient = await connectClient()));

	async function connectClient(): Promise<Client> {
		const {throttled, planned} = events;
		const {record, waiting} = await withDebugLog(events, env, cwd, clock.now);
		const clientOptions = {
			environment: env,
			clock: clock.client,
			events: {
				...(record && {record}),
				...(waiting && {waiting}),
				...(throttled && {throttled}),
				...(planned && {planned}),
			},
			userAgent: `ledge/${LEDGE_VERSION}`,
			readOnly: isReadOnly(),
			dryRun: options.dryRunServer ? ('server' as const) : options.dryRun === true,
			...(options.concurrency !== undefined && {concurrency: options.concurrency}),
		};
		const {connect, connectSimulated} = await import('../service/connect.ts');
		refuseUnusedStateOption(options);
		const withExplanations = (connected: Client) =>
			explainFailures(connected, (failure, {path}) =>
				explainFailure(failure, account, {path, boundIds: shared.boundIds}),
			);
		if (!simulated)
			return withExplanations(await connect(await sources(), await getCredentials(), clientOptions));
		if (options.baseUrl !== undefined) {
			throw new Failure('usage', "--simulate and --base-url can't be combined.", {
				why: 'The simulated service runs inside ledge and has no address.',
				next: 'Leave one of them out.',
			});
		}
		const service = await startSimulated({env, cwd, clock, file: options.state, warn: events.warn});
		disposables.push(service);
		return withExplanations(connectSimulated(service.fetch, clientOptions));
	}

	const {getChoice, getCredentials, findLoginAccount, explainFailure} = createSessionCredentials({
		sources,
		cwd,
		startFolder: baseSources.startFolder,
		env,
		now: clock.now,
		events,
		lendTerminal: parts.lendTerminal,
		shared: shared.credentials,
	});

	const {auditWrite, auditWrites} = createAudit({
		isEnabled: !options.dryRun && !simulated,
		env,
		clock,
		events,
		shared,
	});

	let account: ActiveAccount | undefined;

	const findProduction = (place: WritePlace): Context | undefined =>
		simulated || place.isLocal ? undefined : findProductionContext(contexts, place);

	return {
		options,
		env,
		cwd,
		clock,
		events,
		variables,
		simulated,
		configuration,
		sources,
		client,
		quota: () => connectedClient?.quota() ?? fullQuota,
		startRehearsal,
		async account(signal) {
			if (account) return account;
			const configuredAccount = simulated ? undefined : resolveAccountId(await sources());
			if (configuredAccount) {
				const chosenAccount = options.choices?.account;
				const label =
					chosenAccount?.id === configuredAccount.value
						? chosenAccount.label
						: getAccountLabel(configuredAccount.value, contexts);
				account = {id: configuredAccount.value, label, from: configuredAccount.from};
			} else {
				account =
					(simulated ? undefined : await findLoginAccount()) ??
					(await findOnlyAccount(await client(), signal));
			}
			return account;
		},
		contexts,
		preferences: parts.preferences,
		findProduction,
		async permit(place, action) {
			const productionContext = findProduction(place);
			const context = options.dryRun
				? undefined
				: (productionContext ??
					(simulated || place.isLocal ? undefined : findPossibleProduction(contexts, place)));
			if (!context) return place as PermittedPlace;
			const {confirmProduction} = events;
			if (!confirmProduction)
				throw new Failure('internal', 'Nobody can be asked about a write to production.');
			const {label, accountLabel, accountId} = place;
			// If the label shows the name of a context instead of the account, add the account id.
			const account = accountLabel === context.name ? accountId : undefined;
			const destination = account === undefined ? label : `${label} (account ${account})`;
			await confirmProduction({
				context,
				namedContexts: shared.namedContexts,
				destination,
				action,
				isCertain: productionContext !== undefined,
			});
			return place as PermittedPlace;
		},
		boundIds: shared.boundIds,
		credentialChoice: getChoice,
		credential: async () => (await getCredentials()).current(),
		forgetCredentialRejections() {
			for (const source of shared.credentials.values()) source.forgetRejections();
		},
		isReadOnly,
		refuseWhenReadOnly(action) {
			if (isReadOnly()) throw createReadOnlyFailure(action);
		},
		auditWrite,
		auditWrites,
		withOptions(otherOptions) {
			const session = createSession({...options, ...otherOptions}, parts, shared);
			disposables.push(session);
			return session;
		},
		withContext(name, naming) {
			const {
				accountId: _,
				choices: _choices,
				baseUrl: _url,
				profile: _profile,
				prefix: _prefix,
				...otherOptions
			} = options;
			const namedContext = enterContext(name, naming, contexts.contextsFile, {
				options: otherOptions,
				variables,
				env,
			});
			const child = createSession(
				otherOptions,
				{...parts, contexts: {...contexts, active: namedContext}},
				shared,
			);
			disposables.push(child);
			return child;
		},
		[Symbol.dispose]() {
			for (const child of disposables.splice(0)) child[Symbol.dispose]();
		},
	};
}

/** Opens a session, with the contexts and preferences of this machine unless `parts` has some. Fails like `findContexts`. */
export async function openSession(options: SessionOptions, parts: SessionParts): Promise<Session> {
	const {env, contexts, events} = parts;
	const variables = readVariables(env, options.envFile, resolveWorkingFolder(parts, options.cwd));
	const preferences = parts.preferences ?? (await readPreferences(env));
	const problem = summarizePreferenceProblems(preferences);
	if (problem !== undefined) events.mention?.(problem);
	return createSession(options, {
		...parts,
		contexts: contexts ?? (await findContexts({options, variables, env})),
		preferences,
	});
}

/** Resolves the working folder: that of `--cwd`, else the current one. Fails with `input_missing`. */
function resolveWorkingFolder({cwd}: Pick<SessionParts, 'cwd'>, cwdOption: string | undefined): string {
	const folder =
		cwdOption !== undefined && isAbsolute(cwdOption) ? resolve(cwdOption) : resolve(cwd(), cwdOption ?? '');
	if (cwdOption === undefined || getPathStatus(folder)?.isDirectory()) return folder;
	throw new Failure('input_missing', `--cwd names ${folder}, which is not a folder.`, {
		next: 'Specify an existing folder.',
	});
}

/** Refuses `--state` without `--simulate`, which would write to the real service. */
function refuseUnusedStateOption({state, simulate}: SessionOptions): void {
	if (state === undefined || simulate) return;
	throw new Failure('usage', '--state only works with the simulated service.', {
		next: 'Add --simulate, or leave out --state.',
	});
}
