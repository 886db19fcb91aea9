import {statSync} from 'node:fs';
import {join} from 'node:path';
import {Failure} from '../failure.ts';
import type {KvStore} from '../kv/store.ts';
import {getAccountLabel} from '../settings/contexts/active-context.ts';
import {findConfiguration} from '../settings/discovery.ts';
import {resolveLocalRoot} from '../settings/local-root.ts';
import {getErrorCode} from '../state/directory.ts';
import {getLocalFolder, type JobTarget, toLocalPlace} from '../state/job-record.ts';
import {quoteShellWord} from '../text/shell-word.ts';
import {doesWorldExist, formatWorld, getSessionPlace, getSimulatedWorld, isWorldInMemory} from './place.ts';
import type {Session} from './session.ts';
import type {UnknownUse} from './unknown-local.ts';

export type NamespaceUse = UnknownUse & {
	/** Found through the configuration: it exists, with or without data. */
	readonly isConfigured?: boolean | undefined;
	/** In a dry run, writes are only planned. */
	readonly write?: boolean | undefined;
	/** File of a value, for the curl line of a dry run. */
	readonly valueFile?: string | undefined;
};

/** An open namespace and its target in journals. */
export type OpenedNamespace = {
	readonly store: KvStore;
	readonly target: JobTarget;
	/** For files: SHA-256 of the content, in hex. */
	readonly digest?: string;
};

/** State of local data under a root (`…/v3`); unreadable if its folder cannot be read. */
export type LocalDataState = 'exists' | 'none' | 'unreadable';

export function getLocalDataState(root: string): LocalDataState {
	try {
		statSync(join(root, 'kv'));
		return 'exists';
	} catch (cause) {
		return ['ENOENT', 'ENOTDIR'].includes(getErrorCode(cause) ?? '') ? 'none' : 'unreadable';
	}
}

export function getLocalDataRoot({cwd, options}: Session): string {
	// Needs only the configuration file's location.
	const configurationFile = findConfiguration(cwd, options.config)?.file;
	return resolveLocalRoot({cwd, persistTo: options.persistTo, configurationFile}).value;
}

/**
 * Opens a local namespace. Touches no data before the first read or write. Fails with `namespace_not_found`
 * if it must exist and does not.
 */
export async function openLocalNamespace(
	session: Session,
	namespace: string,
	use: NamespaceUse = {},
	root: string = getLocalDataRoot(session),
): Promise<OpenedNamespace> {
	const target = {place: toLocalPlace(root), namespace};
	const {openLocalStore} = await import('../kv/local/store.ts');
	const store = openLocalStore({root, namespace, now: session.clock.now});
	if (!use.isConfigured && !store.exists()) {
		const {reportUnknownNamespace} = await import('./unknown-local.ts');
		await reportUnknownNamespace(session, root, namespace, use);
	}
	if (!use.write || !session.options.dryRun) return {store, target};
	const {createDryRunStore} = await import('../kv/dry-run-store.ts');
	const reportPlanned = (operation: string) => session.events.planned?.({local: store.label, operation});
	return {store: createDryRunStore(store, reportPlanned), target};
}

/** Opens a namespace of the service; `name` is for display, `account` is set if already known. */
export async function openRemoteNamespace(
	session: Session,
	namespace: {
		readonly id: string;
		readonly name: string;
		readonly account?: string | undefined;
		/** Earlier label with its account; default: built from their names. */
		readonly called?: string | undefined;
		/** The account in that label. */
		readonly accountLabel?: string | undefined;
		/** Binding with file and line: `CONFIG (wrangler.toml:5)`. */
		readonly boundAs?: string | undefined;
		/** False if the service does not decode keys in URLs of this namespace; undefined if unknown. */
		readonly decodesKeys?: boolean | undefined;
	},
	{valueFile}: NamespaceUse,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	const client = await session.client();
	const {account: knownAccount, boundAs} = namespace;
	const {simulated: isSimulated, contexts} = session;
	if (boundAs !== undefined) session.boundIds.set(namespace.id, boundAs);
	const account =
		knownAccount === undefined
			? await session.account(signal)
			: {id: knownAccount, label: getAccountLabel(knownAccount, contexts)};
	const {openRemoteStore} = await import('../kv/remote-store.ts');
	const context = contexts.active;
	const place = getSessionPlace(session, client);
	const world = isSimulated ? getSimulatedWorld(session) : undefined;
	const {called: earlierLabel, name} = namespace;
	const label = earlierLabel ?? `${account.label} › ${name}`;
	const accountLabel = earlierLabel === undefined ? account.label : namespace.accountLabel;
	return {
		store: openRemoteStore({
			client,
			account: account.id,
			namespace: namespace.id,
			label,
			accountLabel,
			title: name,
			isSimulated,
			decodesKeys: namespace.decodesKeys,
			valueFile,
		}),
		target: {
			place,
			...(world !== undefined && {world}),
			account: account.id,
			namespace: namespace.id,
			called: label,
			title: name,
			...(accountLabel !== undefined && {accountLabel}),
			...(context && {context: context.name}),
		},
	};
}

/**
 * Reopens the namespace of a job, draft or deletion. A simulated one opens in its own world unless the
 * options name one; a real one only if the current base URL is the same. Fails with `journal_invalid` if the
 * options lead elsewhere.
 */
export async function reopenNamespace(
	session: Session,
	target: JobTarget,
	use: NamespaceUse,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	const {
		place,
		world,
		account,
		namespace = '',
		called: earlierLabel,
		accountLabel,
		title = namespace,
	} = target;
	const folder = getLocalFolder(place);
	if (folder !== undefined) return openLocalNamespace(session, namespace, use, folder);
	if (place === 'simulated') {
		refuseOtherWorld(session, world);
		if (!session.simulated)
			return reopenNamespace(session.withOptions({simulate: true, state: world}), target, use, signal);
	}
	if (target.context !== undefined && target.context !== session.contexts.active?.name)
		return reopenNamespace(session.withContext(target.context, 'job'), target, use, signal);
	const reopened = await openRemoteNamespace(
		session,
		{id: namespace, name: title, account, called: earlierLabel, accountLabel},
		use,
		signal,
	);
	if (reopened.target.place === place) return reopened;
	throw new Failure('journal_invalid', `This belongs to ${place}.`, {
		why: session.simulated
			? `You are connected to ${formatWorld(getSimulatedWorld(session), session.cwd)}.`
			: `You are connected to ${reopened.target.place}.`,
		next: 'Use the base URL that it was started with, and leave out --simulate.',
	});
}

/** Fails if the options name another simulated world than the original, or if that no longer exists. */
function refuseOtherWorld(session: Session, world: string | undefined): void {
	const {simulated, cwd, options} = session;
	const current = getSimulatedWorld(session);
	const originalWorld = formatWorld(world, cwd);
	const isGone = world !== undefined && !doesWorldExist(world) && !(simulated && isWorldInMemory(world));
	const isElsewhere = (simulated || options.state !== undefined) && current !== world;
	if (!isElsewhere && !isGone) return;
	throw new Failure(
		'journal_invalid',
		isGone
			? `This belongs to ${originalWorld}, which no longer exists.`
			: `This belongs to ${originalWorld}.`,
		{
			why: isElsewhere ? `You are connected to ${formatWorld(current, cwd)}.` : undefined,
			next: isGone
				? 'Start again in a world that exists.'
				: world === undefined
					? 'Leave out --state.'
					: `Use --simulate --state ${quoteShellWord(world)}.`,
		},
	);
}
