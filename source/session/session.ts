import {dirname, isAbsolute, resolve} from 'node:path';
import type {CredentialChoice} from '../credentials/choice.ts';
import type {Credential} from '../credentials/credential.ts';
import type {CredentialSource} from '../credentials/source.ts';
import {Failure, refusedReadOnly} from '../failure.ts';
import type {HostClock} from '../host.ts';
import type {RehearsalService} from '../migration/flow/rehearsal.ts';
import type {Client} from '../service/client.ts';
import {fullQuota, type QuotaLeft} from '../service/limiter.ts';
import type {Configuration} from '../settings/configuration.ts';
import type {Context} from '../settings/contexts/context.ts';
import {
	accountInContexts,
	enterContext,
	findContexts,
	type KnownContexts,
} from '../settings/contexts/in-force.ts';
import {possibleProduction, productionContext} from '../settings/contexts/production.ts';
import {accountId, environmentName, readOnly, type SettingSources} from '../settings/settings.ts';
import {readVariables, type Variables} from '../settings/variables.ts';
import {statusOfPath} from '../state/directory.ts';
import {type Audit, type AuditReports, createAudit} from './audit.ts';
import {explainFailures, findOnlyAccount} from './client.ts';
import {createSessionCredentials} from './credentials.ts';
import {memoize} from './memoize.ts';
import type {ActingAccount, SessionEvents, SessionOptions, SessionParts} from './parts.ts';
import type {PermittedPlace, WritePlace} from './write-place.ts';
/**
 * What ledge works with, for commands and screens alike: configuration, settings, the client and the account,
 * each worked out when it is asked for and not before. What failed is tried again when it is asked for again.
 */
export type Session = Disposable &
	Audit & {
		readonly options: SessionOptions;
		readonly env: NodeJS.ProcessEnv;
		readonly cwd: string;
		readonly clock: HostClock;
		readonly events: SessionEvents;
		/** The variables in force, those of `--env-file` too. */
		readonly variables: Variables;
		/** Whether it acts on the simulated service. */
		readonly simulated: boolean;
		/** The contexts of this machine, and the one in force. */
		readonly contexts: KnownContexts;
		/** The production context that a place belongs to, if any; nothing for local data, and for the simulated service. */
		production(place: WritePlace): Context | undefined;
		/**
		 * Lets a place be written to; the first thing that whatever writes does once it knows the place, before it reads what the
		 * write rests on. In production the person is asked, with account and namespace or zone. Fails with `declined` and
		 * `unconfirmed`.
		 */
		permit(place: WritePlace, what: string): Promise<PermittedPlace>;
		/** The configuration file, read and checked; its warnings are told once. */
		configuration(): Promise<Configuration | undefined>;
		/** What every setting is worked out from. */
		sources(): Promise<SettingSources>;
		client(): Promise<Client>;
		/** What is left of the quota of calls. */
		quota(): QuotaLeft;
		/** Ids of namespaces that bindings led to, with the binding and its file and line, for failures that come of them. */
		readonly boundIds: Map<string, string>;
		/** Where the credential comes from; nothing is run for it. */
		credentialChoice(): Promise<CredentialChoice>;
		/** The credential in force. A credential command or wrangler may have to run for it, once. */
		credential(): Promise<Credential>;
		/** The person asks again for something: a credential that was refused is asked for again, too. */
		askCredentialAgain(): void;
		account(signal: AbortSignal): Promise<ActingAccount>;
		/** The simulated service of a rehearsal: never what this session acts on. */
		readonly startRehearsal: RehearsalService;
		/** Fails with `read_only` when writes are refused; the first thing that whatever writes does. */
		refuseWhenReadOnly(what: string): void;
		/** The same with other options; it ends with this one. */
		withOptions(options: SessionOptions): Session;
		/**
		 * The same in a context that is named with a store, or that a job was begun in, whose account, credential and address then count, and none of the
		 * command line. Fails with `context_unknown`. It ends with this one.
		 */
		inContext(name: string, by: 'store' | 'job'): Session;
	};

/** What all sessions of one command line, or of one start of the screens, have in common. */
type Shared = AuditReports & {
	readonly credentials: Map<string, CredentialSource>;
	/** The contexts that were named for what is done. */
	readonly namedContexts: Set<string>;
	readonly boundIds: Map<string, string>;
};

const noContexts: KnownContexts = {contexts: undefined, inForce: undefined};

export function createSession(
	options: SessionOptions,
	parts: SessionParts,
	shared: Shared = {
		isAuditReported: false,
		credentials: parts.credentials ?? new Map(),
		namedContexts: new Set(),
		boundIds: new Map(),
	},
): Session {
	const {env, events, clock = {now: Date.now}, startSimulated, startRehearsal, contexts = noContexts} = parts;
	const cwd = workingFolder(parts, options.cwd);
	const variables = readVariables(env, options.envFile, cwd);
	const base: SettingSources = {
		options,
		variables,
		start: options.config === undefined ? cwd : dirname(resolve(cwd, options.config)),
		...(options.prefix && {prefix: options.prefix}),
		...(contexts.inForce && {context: contexts.inForce}),
		hasContexts: (contexts.contexts?.all.length ?? 0) > 0,
	};
	const simulated = options.simulate === true;
	const {inForce} = contexts;
	if (inForce?.named === '--context' || inForce?.named === 'store') shared.namedContexts.add(inForce.name);
	const closing: Disposable[] = [];

	const configuration = memoize(async () => {
		const {readConfiguration} = await import('../settings/configuration.ts');
		const found = await readConfiguration({cwd, named: options.config, environment: environmentName(base)});
		for (const warning of found?.warnings ?? []) events.warn(warning);
		return found;
	});

	const sources = async (): Promise<SettingSources> => ({...base, configuration: await configuration()});

	let connected: Client | undefined;
	const client = memoize(async () => (connected = await connectClient()));

	async function connectClient(): Promise<Client> {
		const {record, waiting, throttled, planned} = events;
		const common = {
			environment: env,
			clock: clock.client,
			events: {
				...(record && {record}),
				...(waiting && {waiting}),
				...(throttled && {throttled}),
				...(planned && {planned}),
			},
			userAgent: `ledge/${LEDGE_VERSION}`,
			readOnly: readOnly(base).value,
			dryRun: options.dryRun === true,
			...(options.concurrency !== undefined && {concurrency: options.concurrency}),
		};
		const {connect, connectSimulated} = await import('../service/connect.ts');
		refuseIdleState(options);
		if (!simulated)
			return explainFailures(await connect(await sources(), await credentials(), common), (failure, {path}) =>
				explained(failure, account, {path, boundIds: shared.boundIds}),
			);
		if (options.baseUrl !== undefined) {
			throw new Failure('usage', '--simulate and --base-url exclude each other.', {
				why: 'The simulated service runs inside ledge and has no address.',
				next: 'Leave one of them out.',
			});
		}
		const service = await startSimulated({env, cwd, clock, file: options.state, warn: events.warn});
		closing.push(service);
		return connectSimulated(service.fetch, common);
	}

	const {choice, credentials, accountOfLogin, explained} = createSessionCredentials({
		sources,
		cwd,
		start: base.start,
		env,
		now: clock.now,
		events,
		lend: parts.lend,
		shared: shared.credentials,
	});

	const {audited, auditedWrites} = createAudit({
		isKept: !options.dryRun && !simulated,
		env,
		clock,
		events,
		shared,
	});

	let account: ActingAccount | undefined;

	const production = (place: WritePlace): Context | undefined =>
		simulated || place.isLocal ? undefined : productionContext(contexts, place);

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
		quota: () => connected?.quota() ?? fullQuota,
		startRehearsal,
		async account(signal) {
			if (account) return account;
			const named = simulated ? undefined : accountId(await sources());
			if (named) {
				const chosen = options.choices?.account;
				const label = chosen?.id === named.value ? chosen.label : accountInContexts(named.value, contexts);
				account = {id: named.value, label, from: named.from};
			} else {
				account =
					(simulated ? undefined : await accountOfLogin()) ?? (await findOnlyAccount(await client(), signal));
			}
			return account;
		},
		contexts,
		production,
		async permit(place, what) {
			const certain = production(place);
			const context = options.dryRun
				? undefined
				: (certain ?? (simulated || place.isLocal ? undefined : possibleProduction(contexts, place)));
			if (!context) return place as PermittedPlace;
			const {confirmProduction} = events;
			if (!confirmProduction)
				throw new Failure('internal', 'Nobody can be asked about a write to production.');
			const {label, accountLabel, accountId} = place;
			// A place called after the context has its account beside it: that is what is written to.
			const account = accountLabel === context.name ? accountId : undefined;
			const where = account === undefined ? label : `${label} (account ${account})`;
			await confirmProduction({
				context,
				named: shared.namedContexts,
				where,
				what,
				isCertain: certain !== undefined,
			});
			return place as PermittedPlace;
		},
		boundIds: shared.boundIds,
		credentialChoice: choice,
		credential: async () => (await credentials()).current(),
		askCredentialAgain() {
			for (const source of shared.credentials.values()) source.askAgain();
		},
		refuseWhenReadOnly(what) {
			if (readOnly(base).value) throw refusedReadOnly(what);
		},
		audited,
		auditedWrites,
		withOptions(others) {
			const session = createSession({...options, ...others}, parts, shared);
			closing.push(session);
			return session;
		},
		inContext(name, by) {
			const {
				accountId: _,
				choices: _choices,
				baseUrl: _url,
				profile: _profile,
				prefix: _prefix,
				...rest
			} = options;
			const named = enterContext(name, by, contexts.contexts, {options: rest, variables, env});
			const here = createSession(rest, {...parts, contexts: {...contexts, inForce: named}}, shared);
			closing.push(here);
			return here;
		},
		[Symbol.dispose]() {
			for (const one of closing.splice(0)) one[Symbol.dispose]();
		},
	};
}

/** A session with the contexts of this machine, and the one in force, unless they are given. Fails as `findContexts` does. */
export async function openSession(options: SessionOptions, parts: SessionParts): Promise<Session> {
	const {env, contexts} = parts;
	const variables = readVariables(env, options.envFile, workingFolder(parts, options.cwd));
	return createSession(options, {
		...parts,
		contexts: contexts ?? (await findContexts({options, variables, env})),
	});
}

function workingFolder({cwd}: Pick<SessionParts, 'cwd'>, named: string | undefined): string {
	const folder = named !== undefined && isAbsolute(named) ? resolve(named) : resolve(cwd(), named ?? '');
	if (named === undefined || statusOfPath(folder)?.isDirectory()) return folder;
	throw new Failure('input_missing', `--cwd names ${folder}, which is not a folder.`, {
		next: 'Name a folder that exists.',
	});
}

/** `--state` names a simulated world: without one, whoever gave it would write to the real service. */
function refuseIdleState({state, simulate}: SessionOptions): void {
	if (state === undefined || simulate) return;
	throw new Failure('usage', '--state belongs to the simulated service.', {
		next: 'Add --simulate, or leave it out.',
	});
}
