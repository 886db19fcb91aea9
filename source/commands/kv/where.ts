import {isFailure, toFailure} from '../../failure.ts';
import {limits} from '../../kv/limits.ts';
import {listLocalNamespaces} from '../../kv/local/namespaces.ts';
import {getLocalDataRoot, openRemoteNamespace} from '../../session/namespaces.ts';
import {listBindingPlaces} from '../../settings/binding-places.ts';
import {readAllEnvironments} from '../../settings/configuration.ts';
import {chooseNamespace} from '../../settings/namespace-choice.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, defineCommand, type OptionValues} from '../shell/declare.ts';
import {createPersistToOption} from './options.ts';
import {explainMissingEnvironments, explainPlaces, type FoundPlace, formatKeyCount} from './where-notes.ts';

const buildWhereOptions = () => [
	createSwitchOption('--local', 'read only local data, not the service'),
	createPersistToOption(),
];

export const kvWhereCommand = defineCommand({
	usage: 'where <BINDING>',
	summary: 'show the namespaces a binding means, which have keys, and which one a Worker reads',
	example: 'kv where SESSIONS',
	sampleArguments: 'SESSIONS',
	isOffline: true,
	options: buildWhereOptions,
	run: showPlaces,
});

/** `kv where`: two calls per namespace of the service; its number of keys is exact up to ten. */
async function showPlaces(
	context: CommandContext,
	options: OptionValues<typeof buildWhereOptions>,
	binding = '',
): Promise<void> {
	const {output, session} = context;
	const {cwd} = session;
	const configurations = await readAllEnvironments({cwd, configurationPath: session.options.config});
	const declared = configurations.flatMap(({environment, namespaces, shownAs}) =>
		namespaces
			.filter(one => one.binding === binding)
			.flatMap(one =>
				listBindingPlaces(one).map(place => ({...place, environment, declaredAt: `${shownAs}:${one.line}`})),
			),
	);
	// Fails with the reason: no file, or no such binding.
	if (declared.length === 0)
		await chooseNamespace({binding}, {target: 'local', cwd, configuration: async () => configurations[0]});
	const localCounts = countLocalKeys(
		context,
		declared.map(({id}) => id),
	);
	const service = options.local ? undefined : await readService(context, declared);
	const places = declared.map(
		(place): FoundPlace => ({
			...place,
			...(place.where === 'local'
				? {title: undefined, exists: undefined, keys: localCounts.get(place.id) ?? 0, hasMore: false}
				: (service?.found.get(place.id) ?? unreadNamespace)),
		}),
	);
	const withBinding = new Set(places.map(({environment}) => environment));
	const notes = [
		...[...withBinding].flatMap(environment =>
			explainPlaces(places.filter(place => place.environment === environment)),
		),
		...explainMissingEnvironments(
			binding,
			configurations.flatMap(({environment}) =>
				environment === undefined || withBinding.has(environment) ? [] : [environment],
			),
		),
		...(service?.problem === undefined ? [] : [`The service could not be read: ${service.problem}`]),
	];
	if (output.json) {
		await output.writeJson(context.markSimulated({binding, places: places.map(toPlaceJson), notes}));
		return;
	}
	const hasEnvironments = places.some(({environment}) => environment !== undefined);
	const columns = hasEnvironments ? [environmentColumn, ...placeColumns] : placeColumns;
	await output.writeText(formatTable(columns, places));
	if (notes.length > 0) await output.writeText(`\n${notes.join('\n')}\n`);
}

/** Counts the keys of local namespaces, by id. */
function countLocalKeys({session, now}: CommandContext, ids: readonly string[]): ReadonlyMap<string, number> {
	const listed = listLocalNamespaces(getLocalDataRoot(session), ids, now());
	return new Map(listed.map(({namespace = '', keys}) => [namespace, keys]));
}

type FoundNamespace = Pick<FoundPlace, 'title' | 'exists' | 'keys' | 'hasMore'>;

const unreadNamespace: FoundNamespace = {
	title: undefined,
	exists: undefined,
	keys: undefined,
	hasMore: false,
};

/** Reads title and first keys of the namespaces of the service. Stops at the first problem that all share. */
async function readService(
	context: CommandContext,
	declared: readonly Pick<FoundPlace, 'where' | 'id'>[],
): Promise<{readonly found: ReadonlyMap<string, FoundNamespace>; readonly problem?: string}> {
	const found = new Map<string, FoundNamespace>();
	for (const {where, id} of declared) {
		if (where === 'local' || found.has(id)) continue;
		try {
			found.set(id, await readNamespace(context, id));
		} catch (error) {
			if (context.signal.aborted) throw error;
			return {found, problem: toFailure(error).message};
		}
	}
	return {found};
}

async function readNamespace({session, signal}: CommandContext, id: string): Promise<FoundNamespace> {
	const {store: openedStore} = await openRemoteNamespace(session, {id, name: id}, {}, signal);
	using store = openedStore;
	try {
		const description = await store.describe?.(signal);
		const {entries, cursor} = await store.list({limit: limits.listPage.minKeys}, signal);
		return {
			title: description?.title,
			exists: true,
			keys: entries.length,
			hasMore: cursor !== undefined,
		};
	} catch (error) {
		if (!isFailure(error, 'namespace_not_found', 'not_found', 'refused_by_service')) throw error;
		return {...unreadNamespace, exists: false};
	}
}

const environmentColumn: TextColumn<FoundPlace> = {
	title: 'ENVIRONMENT',
	cell: ({environment}) => environment ?? '–',
};

const placeColumns: readonly TextColumn<FoundPlace>[] = [
	{title: 'WHERE', cell: ({where}) => where},
	{title: 'ENTRY', cell: ({entry}) => entry},
	{title: 'ID', cell: ({id}) => id},
	{title: 'TITLE', cell: ({title, exists}) => title ?? (exists === false ? 'not in this account' : '–')},
	{title: 'KEYS', align: 'right', cell: formatKeyCount},
	{title: 'READ BY', cell: ({readBy}) => readBy.join(', ') || '–'},
];

const toPlaceJson = ({
	environment,
	declaredAt,
	where,
	entry,
	id,
	title,
	exists,
	keys,
	hasMore,
	readBy,
}: FoundPlace) => ({
	environment: environment ?? null,
	declaredAt,
	where,
	entry,
	id,
	title: title ?? null,
	exists: exists ?? null,
	keys: keys ?? null,
	hasMore,
	readBy,
});
