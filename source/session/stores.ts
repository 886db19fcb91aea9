import {Readable} from 'node:stream';
import {Failure, toFailure} from '../failure.ts';
import {openInput} from '../kv/bulk/input.ts';
import {getNamespaceByTitle} from '../kv/namespaces.ts';
import type {StoreName} from '../kv/transfer/store-name.ts';
import {expandHome} from '../settings/home-folder.ts';
import {resolveLocalRoot} from '../settings/local-root.ts';
import {chooseNamespace, type NamespaceChoice} from '../settings/namespace-choice.ts';
import type {VariablePrefix} from '../settings/settings.ts';
import type {Target} from '../settings/target.ts';
import type {JobTarget} from '../state/job-record.ts';
import {formatNameList} from '../text/closest-name.ts';
import {
	getLocalDataRoot,
	type NamespaceUse,
	type OpenedNamespace,
	openLocalNamespace,
	openRemoteNamespace,
	reopenNamespace,
} from './namespaces.ts';
import type {ActiveAccount} from './parts.ts';
import {qualifyCommands} from './qualify-commands.ts';
import type {Session} from './session.ts';

/** Side of a copy or comparison; each can use its own account. */
export type StoreSide = 'from' | 'to';

const variablePrefixes: Readonly<Record<StoreSide, VariablePrefix>> = {from: 'LEDGE_FROM_', to: 'LEDGE_TO_'};

type NamedUse = NamespaceUse & {readonly side: StoreSide; readonly stdin: AsyncIterable<Uint8Array>};

/** Opens a store named on the command line. Files are read-only. */
export async function openNamedStore(
	session: Session,
	name: StoreName,
	use: NamedUse,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	switch (name.kind) {
		case 'file':
			return openFile(session, expandHome(name.path, session.env.HOME), use, signal);
		case 'local':
			return openLocal(session, name, use);
		case 'simulated':
			return openRemote(session.withOptions({simulate: true}), name.name, use, signal);
		case 'preview':
		case 'remote': {
			const qualifiedName = name.kind === 'remote' ? splitContextName(name.name, session) : undefined;
			if (qualifiedName)
				return openRemote(
					session.withContext(qualifiedName.context, 'store'),
					qualifiedName.namespaceName,
					use,
					signal,
				);
			const sideSession = session.simulated
				? session
				: session.withOptions({prefix: variablePrefixes[use.side]});
			if (name.kind === 'remote')
				return openRemote(sideSession, name.name, use, signal).catch((error: unknown) => {
					throw explainContextName(toFailure(error), name.name, session);
				});
			const choice = await chooseStoreNamespace(
				sideSession,
				{binding: name.binding, preview: true},
				'remote',
			);
			return openRemoteNamespace(
				sideSession,
				{id: choice.id, name: `${name.binding} (preview)`, boundAs: `${name.binding} (${choice.from})`},
				use,
				signal,
			);
		}
		default:
			return name satisfies never;
	}
}

/**
 * Reopens the store that an interrupted deletion compares with: it deletes only keys that are missing there.
 * The caller owns it.
 */
export async function reopenSource(
	session: Session,
	target: JobTarget,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	return reopenRecordedStore(
		session,
		target,
		{stdin: Readable.from([]), side: 'from', mustExist: true},
		signal,
	);
}

/** Reopens a store from a journal: a file, or a namespace as in `reopenNamespace`. */
export async function reopenRecordedStore(
	session: Session,
	target: JobTarget,
	use: Omit<NamedUse, 'side'> & {readonly side?: StoreSide | undefined},
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	if (target.place.startsWith(filePlacePrefix))
		return openFile(session, target.place.slice(filePlacePrefix.length), use, signal);
	const sideSession =
		use.side && !session.simulated ? session.withOptions({prefix: variablePrefixes[use.side]}) : session;
	return reopenNamespace(sideSession, target, use, signal);
}

/** Splits `prod/SESSIONS` if a context of that name exists; otherwise the name is a binding, id or title. */
export function splitContextName(
	name: string,
	{contexts: {contextsFile}}: Pick<Session, 'contexts'>,
): {readonly context: string; readonly namespaceName: string} | undefined {
	const slash = name.indexOf('/');
	const context = name.slice(0, Math.max(0, slash));
	if (slash === name.length - 1 || !contextsFile?.all.some(one => one.name === context)) return undefined;
	return {context, namespaceName: name.slice(slash + 1)};
}

/** Says of an unknown title such as `staging/CONFIG` that there is no context of that name either. */
function explainContextName(failure: Failure, name: string, session: Session): Failure {
	const problem = findContextProblem(name, session);
	if (problem === undefined || failure.code !== 'namespace_not_found') return failure;
	return new Failure(failure.code, problem, {
		...failure.details,
		why: [`No namespace has the title ${JSON.stringify(name)} either.`, failure.details.why].join(' ').trim(),
	});
}

/** Returns why `staging/CONFIG` names no context; undefined if it does, or has none. */
export function findContextProblem(
	name: string,
	{contexts: {contextsFile}, simulated}: Pick<Session, 'contexts' | 'simulated'>,
): string | undefined {
	const [context = ''] = name.split('/', 1);
	const names = contextsFile?.all.map(one => one.name) ?? [];
	if (context === '' || context === name || names.includes(context)) return undefined;
	const knownText = simulated
		? 'the simulated service has none'
		: names.length === 0
			? 'none is defined'
			: `the contexts are ${formatNameList(names)}`;
	return `No context is called ${JSON.stringify(context)}: ${knownText}.`;
}

const filePlacePrefix = 'file:';

async function openFile(
	{env: environment}: Session,
	path: string,
	{stdin}: Pick<NamedUse, 'stdin'>,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	const {openFileStore} = await import('../kv/transfer/file-store.ts');
	const input = await openInput(path, {environment, stdin, signal, mayBeEmpty: true});
	try {
		const store = await openFileStore(input, signal, {environment});
		return {store, target: {place: filePlacePrefix + path}, digest: store.digest};
	} catch (error) {
		input[Symbol.dispose]();
		throw error;
	}
}

async function openLocal(
	session: Session,
	{name, folder}: Extract<StoreName, {kind: 'local'}>,
	use: NamespaceUse,
): Promise<OpenedNamespace> {
	const isConfigured = await isBinding(session, name);
	const id = isConfigured ? (await chooseStoreNamespace(session, {binding: name}, 'local')).id : name;
	const root =
		folder === undefined
			? getLocalDataRoot(session)
			: resolveLocalRoot({cwd: session.cwd, persistTo: expandHome(folder, session.env.HOME)}).value;
	const localUse = {isConfigured, mustExist: !use.write, createsNamespace: use.write};
	return openLocalNamespace(session, id, {...use, ...localUse}, root);
}

/**
 * Opens a namespace by binding, id or (at the service) title, in this order. Fails with
 * `namespace_not_found`, and `usage` for a preview of something that is no binding.
 */
export async function openNamespaceByName(
	session: Session,
	name: string,
	{where, preview, ...use}: NamespaceUse & {readonly where: Target; readonly preview: boolean},
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	if (await isBinding(session, name)) {
		if (where === 'local') {
			const {id} = await chooseStoreNamespace(session, {binding: name, preview}, where);
			return openLocalNamespace(session, id, {...use, isConfigured: true});
		}
		if (preview || !session.simulated) {
			const {id, from} = await chooseStoreNamespace(session, {binding: name, preview}, where);
			const label = preview ? `${name} (preview)` : name;
			return openRemoteNamespace(session, {id, name: label, boundAs: `${name} (${from})`}, use, signal);
		}
	}
	if (preview)
		throw new Failure('usage', `--preview needs a binding, and ${JSON.stringify(name)} is not one.`, {
			next: 'Leave out --preview, or use a binding.',
		});
	return where === 'local' ? openLocalNamespace(session, name, use) : openRemote(session, name, use, signal);
}

/** Opens a binding, id or title, in this order. */
async function openRemote(
	session: Session,
	name: string,
	use: NamespaceUse,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	if (!session.simulated && (await isBinding(session, name))) {
		const {id, from} = await chooseStoreNamespace(session, {binding: name}, 'remote');
		return openRemoteNamespace(session, {id, name, boundAs: `${name} (${from})`}, use, signal);
	}
	if (/^[0-9a-f]{32}$/.test(name)) return openRemoteNamespace(session, {id: name, name}, use, signal);
	const account = await session.account(signal);
	const client = await session.client();
	const {id, supports_url_encoding: decodesKeys} = await getNamespaceByTitle(
		client,
		account.id,
		name,
		signal,
	).catch((error: unknown) => {
		const failure = toFailure(error);
		const unknownFailure =
			failure.code === 'namespace_not_found'
				? failure.withDetails({why: describeSearchedPlace(account)})
				: failure;
		// The store may belong to another service than the options name.
		throw qualifyCommands(unknownFailure, session.options);
	});
	return openRemoteNamespace(session, {id, name, decodesKeys}, use, signal);
}

const describeSearchedPlace = ({id, label}: ActiveAccount): string =>
	`ledge searched account ${label === id ? id : `${label} (${id})`}.`;

async function isBinding(session: Session, name: string): Promise<boolean> {
	const configuration = await session.configuration();
	return configuration?.namespaces.some(({binding}) => binding === name) ?? false;
}

const chooseStoreNamespace = (
	{cwd, configuration}: Session,
	selection: Parameters<typeof chooseNamespace>[0],
	target: 'local' | 'remote',
): Promise<NamespaceChoice> => chooseNamespace(selection, {target, cwd, configuration});
