import {Failure} from '../../failure.ts';
import {unchangeableJurisdiction} from '../../kv/jurisdiction.ts';
import {
	checkNamespaceTitle,
	deleteNamespace,
	getNamespaceById,
	getNamespaceByTitle,
	listKvNamespaces,
	type Namespace,
	renameNamespace,
} from '../../kv/namespaces.ts';
import type {Client} from '../../service/client.ts';
import {cacheNamespaceTitles} from '../../session/listing-cache.ts';
import {toAccountPlace} from '../../session/write-place.ts';
import type {NamespaceSelection} from '../../settings/namespace-choice.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import type {TextColumn} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createChoiceOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {namespaceCreateCommand} from './namespace-create.ts';
import {
	buildPreviewOptions,
	createBindingOption,
	createNamespaceIdOption,
	createUnsupportedLocalOption,
	getPreferredFormat,
	refuseLocalOption,
} from './options.ts';

type Selector = NamespaceSelection & {local?: boolean};

const buildListOptions = () => [
	createChoiceOption('--format <form>', 'output format (json)', ['json', 'table']),
	createUnsupportedLocalOption(),
];

export const namespaceCommands = [
	namespaceCreateCommand,

	defineCommand({
		usage: 'list',
		summary: 'list all namespaces of the account',
		example: 'kv namespace list --format table',
		options: buildListOptions,
		run: runNamespaceList,
	}),

	defineCommand({
		usage: 'delete [TITLE]',
		summary: 'delete a namespace and every key in it',
		example: 'kv namespace delete --binding SESSIONS --export sessions.ndjson.gz',
		refusedByReadOnly: 'deleting a namespace',
		sampleArguments: '--namespace-id {namespace}',
		options: () => [
			createValueOption(
				'--export <file>',
				'export its keys to a file first; if that fails, nothing is deleted',
			),
			createBindingOption(),
			createNamespaceIdOption(),
			...buildPreviewOptions(),
			createUnsupportedLocalOption(),
		],
		run: runNamespaceDelete,
	}),

	defineCommand({
		usage: 'rename [TITLE]',
		summary: 'rename a namespace',
		example: 'kv namespace rename worker-SESSIONS --new-name sessions',
		refusedByReadOnly: 'renaming a namespace',
		sampleArguments: '--namespace-id {namespace} --new-name OTHER',
		options: () => [
			createValueOption('--new-name <title>', 'the new title').makeOptionMandatory(),
			createValueOption('--jurisdiction <name>', 'not supported: set when a namespace is created').hideHelp(),
			createBindingOption(),
			createNamespaceIdOption(),
			...buildPreviewOptions(),
			createUnsupportedLocalOption(),
		],
		run: runNamespaceRename,
	}),
];

async function runNamespaceList(
	context: CommandContext,
	options: OptionValues<typeof buildListOptions>,
): Promise<void> {
	refuseLocalOption(options);
	const {output, session, signal} = context;
	const isTable = options.format === 'table';
	if (isTable && output.json) throw buildExclusionFailure('--json', '--format table');
	const client = await context.client();
	const account = await context.getAccount();
	const namespaces = await Array.fromAsync(listKvNamespaces(client, account.id, signal));
	cacheNamespaceTitles(session, client, account.id, namespaces);
	if (!isTable && (options.format ?? getPreferredFormat(context)) !== 'table')
		return output.writeJson(namespaces);
	const hasJurisdictions = namespaces.some(({jurisdiction}) => jurisdiction !== undefined);
	const columns = hasJurisdictions ? [...namespaceColumns, jurisdictionColumn] : namespaceColumns;
	const {formatTable} = await import('../../terminal/table.ts');
	await output.writeText(formatTable(columns, namespaces));
}

const namespaceColumns: readonly TextColumn<Namespace>[] = [
	{title: 'TITLE', cell: ({title}) => title},
	{title: 'ID', cell: ({id}) => id},
];

const jurisdictionColumn: TextColumn<Namespace> = {
	title: 'JURISDICTION',
	cell: ({jurisdiction}) => jurisdiction ?? '–',
};

type DeleteNamespaceOptions = Selector & {export?: string};

async function runNamespaceDelete(
	context: CommandContext,
	options: DeleteNamespaceOptions,
	title?: string,
): Promise<void> {
	refuseLocalOption(options);
	const findNamespace = await createNamespaceFinder(context, options, title);
	const account = await context.getAccount();
	const client = await context.client();
	const namespace = await findNamespace(client, account.id);
	const namespaceLabel = namespace.title ? `"${namespace.title}" (id ${namespace.id})` : `id ${namespace.id}`;
	await context.announceWrite({
		...toAccountPlace(account),
		label: `${account.label} › ${namespace.title || namespace.id}`,
	});
	if (!context.options.dryRun) {
		const exportNote =
			options.export === undefined
				? 'This cannot be undone. To save its keys to a file first, use --export FILE.'
				: `Its keys are exported to ${options.export} first; that file is the only copy.`;
		const question = `Delete namespace ${namespaceLabel} of ${account.label} and every key in it? ${exportNote}`;
		await confirmAction(question, context.getConfirmation(), context.signal);
		if (options.export !== undefined) {
			const {exportBeforeDeletion} = await import('./export.ts');
			await exportBeforeDeletion(context, {...namespace, account: account.id}, options.export);
		}
		context.output.say(`Deleting namespace ${namespace.id}.`);
	}
	await context.auditWrite(`delete namespace ${namespace.id}`, toAccountPlace(account), () =>
		deleteNamespace(client, account.id, namespace.id, context.signal),
	);
	await context.printResult(
		{
			id: namespace.id,
			title: namespace.title,
			deleted: true,
			...(options.export !== undefined && {export: context.resolve(options.export)}),
		},
		`Deleted namespace ${namespace.id}.`,
	);
}

async function runNamespaceRename(
	context: CommandContext,
	options: Selector & {newName?: string; jurisdiction?: string},
	title?: string,
): Promise<void> {
	refuseLocalOption(options);
	if (options.jurisdiction !== undefined)
		throw new Failure('usage', "A namespace can't be moved to another jurisdiction.", {
			why: unchangeableJurisdiction,
			next: 'Create another namespace there, copy the keys to it, and change the bindings.',
		});
	const newName = checkNamespaceTitle(options.newName ?? '');
	const findNamespace = await createNamespaceFinder(context, options, title);
	const account = await context.getAccount();
	const client = await context.client();
	const namespace = await findNamespace(client, account.id);
	await context.announceWrite({
		...toAccountPlace(account),
		label: `${account.label} › ${namespace.title || namespace.id}`,
	});
	const renamedNamespace = await context.auditWrite(
		`rename namespace ${namespace.id} to ${newName}`,
		toAccountPlace(account),
		() => renameNamespace(client, account.id, namespace.id, newName, context.signal),
	);
	await context.printResult(
		{...namespace, ...renamedNamespace},
		`Renamed namespace ${renamedNamespace.id} to "${renamedNamespace.title}".`,
	);
}

/**
 * Returns a function that finds the namespace, named by exactly one of title, binding and id. Fails with
 * `usage` before the service is called; the returned function fails if the namespace does not exist.
 */
async function createNamespaceFinder(
	context: CommandContext,
	options: Selector,
	title: string | undefined,
): Promise<(client: Client, account: string) => Promise<Namespace>> {
	const selectors = [title, options.binding, options.namespaceId].filter(selector => selector !== undefined);
	if (selectors.length !== 1) {
		throw new Failure(
			'usage',
			`${selectors.length === 0 ? 'No' : 'More than one'} namespace was specified.`,
			{
				next: 'Specify exactly one of TITLE, --binding and --namespace-id.',
			},
		);
	}
	if (title !== undefined) {
		checkNamespaceTitle(title);
		return (client, account) => getNamespaceByTitle(client, account, title, context.signal);
	}
	const {id} = await context.chooseNamespace(options, 'remote');
	return (client, account) => getNamespaceById(client, account, id, context.signal);
}
