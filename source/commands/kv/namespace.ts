import {Failure, toFailure} from '../../failure.ts';
import {
	buildNamespaceTitle,
	checkNamespaceTitle,
	createNamespace,
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
import type {Configuration} from '../../settings/configuration.ts';
import type {NamespaceSelection} from '../../settings/namespace-choice.ts';
import {formatEntrySnippet, type NamespaceEntry, toBindingName} from '../../settings/namespace-entry.ts';
import {resolveEnvironmentName} from '../../settings/settings.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, createValueOption, defineCommand, type OptionValues} from '../shell/declare.ts';
import {buildPreviewOptions, createBindingOption, createNamespaceIdOption} from './options.ts';

type Selector = NamespaceSelection & {local?: boolean};

const createLocalOption = () =>
	createSwitchOption('--local', 'not supported: namespaces exist only on the service').hideHelp();

const buildNamespaceCreateOptions = () => [
	...buildPreviewOptions(),
	createSwitchOption('--no-prefix', 'use NAMESPACE unchanged as the title'),
	createValueOption('--binding <name>', 'binding name in the snippet, instead of one derived from NAMESPACE'),
	createSwitchOption('--update-config', 'write the binding to the configuration file'),
	createLocalOption(),
];

type CreateOptions = OptionValues<typeof buildNamespaceCreateOptions>;

export const namespaceCommands = [
	defineCommand({
		usage: 'create <NAMESPACE>',
		summary: 'create a namespace',
		example: 'kv namespace create SESSIONS --update-config',
		refusedByReadOnly: 'creating a namespace',
		sampleArguments: 'NEW --no-prefix',
		options: buildNamespaceCreateOptions,
		run: runNamespaceCreate,
	}),

	defineCommand({
		usage: 'list',
		summary: 'list all namespaces of the account',
		example: 'kv namespace list',
		options: () => [createLocalOption()],
		async run(context, options) {
			refuseLocal(options);
			const client = await context.client();
			const account = await context.getAccount();
			const namespaces: Namespace[] = [];
			for await (const namespace of listKvNamespaces(client, account.id, context.signal))
				namespaces.push(namespace);
			cacheNamespaceTitles(context.session, client, account.id, namespaces);
			await context.output.writeJson(namespaces);
		},
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
			createLocalOption(),
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
			createBindingOption(),
			createNamespaceIdOption(),
			...buildPreviewOptions(),
			createLocalOption(),
		],
		run: runNamespaceRename,
	}),
];

async function runNamespaceCreate(context: CommandContext, options: CreateOptions, name = ''): Promise<void> {
	refuseLocal(options);
	if (name === '') {
		throw new Failure('usage', 'The namespace name is empty.', {
			next: buildAdvice`Specify a name: \`${buildCommand('kv namespace create SESSIONS')}\`.`,
		});
	}
	const configuration = await context.configuration();
	const environment = configuration?.environment ?? resolveEnvironmentName(await context.sources())?.value;
	const isPreview = options.preview === true;
	const usesPrefix = options.prefix !== false;
	const title = checkNamespaceTitle(
		buildNamespaceTitle(name, {
			worker: configuration?.name,
			environment,
			isPreview,
			usesPrefix,
		}),
	);
	const binding = toBindingName(options.binding ?? name);
	const configurationToUpdate = options.updateConfig
		? checkFileToUpdate(context, configuration, binding, isPreview)
		: undefined;

	const account = await context.getAccount();
	const client = await context.client();
	await context.announceWrite({...toAccountPlace(account), label: `${account.label} › new namespace`});
	if (!context.options.dryRun) context.output.say(`Creating namespace with title "${title}"`);
	const createdNamespace = await context.auditWrite(
		`create namespace ${title}`,
		toAccountPlace(account),
		() => createNamespace(client, account.id, title, context.signal),
	);
	const entry = {
		binding,
		...(isPreview ? {previewId: createdNamespace.id} : {id: createdNamespace.id}),
		...(environment && {environment}),
	};
	if (context.options.dryRun) {
		if (configurationToUpdate)
			context.recordPlannedWrite({
				local: configurationToUpdate.file,
				operation: `add binding ${binding} with the id from step 1`,
			});
		return;
	}
	context.output.say('Success!');
	if (configurationToUpdate) await updateFile(context, configurationToUpdate, entry, createdNamespace);
	else {
		const environmentNote = environment ? ` under [env.${environment}]` : '';
		context.output.say(
			`Add the following to your configuration file in your kv_namespaces array${environmentNote}:`,
		);
	}
	if (context.output.json)
		await context.output.writeJson([
			context.markSimulated({...createdNamespace, binding, preview: isPreview}),
		]);
	else if (!configurationToUpdate)
		await context.output.writeText(`${formatEntrySnippet(configuration?.format ?? 'toml', entry)}\n`);
}

/**
 * Returns the configuration that `--update-config` changes. Fails if there is none, with `--simulate`, or if
 * an id would be replaced without `--yes`.
 */
function checkFileToUpdate(
	context: CommandContext,
	configuration: Configuration | undefined,
	binding: string,
	isPreview: boolean,
): Configuration {
	if (context.options.simulate) {
		throw new Failure('usage', "--update-config and --simulate can't be combined.", {
			why: 'A simulated namespace does not belong in the configuration of a real Worker.',
			next: 'Leave one of them out.',
		});
	}
	if (!configuration) {
		throw new Failure('configuration_invalid', 'There is no configuration file to update.', {
			next: 'Create a wrangler.jsonc or wrangler.toml first, or leave out --update-config.',
		});
	}
	const {environment, environments} = configuration;
	// An environment that the file does not define has no bindings yet: the active bindings are those of the
	// top level.
	if (environment !== undefined && !environments.includes(environment)) return configuration;
	const existingBinding = configuration.namespaces.find(namespace => namespace.binding === binding);
	const id = isPreview ? existingBinding?.previewId : existingBinding?.id;
	if (existingBinding && id !== undefined && !context.options.yes) {
		throw new Failure(
			'unconfirmed',
			`The binding "${binding}" already has ${isPreview ? 'a preview id' : 'an id'}.`,
			{
				why: `${configuration.shownAs}:${existingBinding.line} names ${id}; the new namespace would replace it.`,
				next: 'Choose another name with --binding, or add --yes to replace it.',
			},
		);
	}
	return configuration;
}

/** Writes the entry. If that fails, the failure contains the id, because the namespace already exists. */
async function updateFile(
	context: CommandContext,
	{file, format}: Configuration,
	entry: NamespaceEntry,
	createdNamespace: Namespace,
): Promise<void> {
	const {updateConfiguration} = await import('../../settings/configuration-edit.ts');
	try {
		const line = await updateConfiguration(file, format, entry);
		context.output.say(`Added binding "${entry.binding}" to ${file}:${line}.`);
	} catch (error) {
		throw toFailure(error).withDetails({
			left: `The namespace "${createdNamespace.title}" was created with the id ${createdNamespace.id}; add this to the configuration file:\n${formatEntrySnippet(format, entry)}`,
		});
	}
}

type DeleteNamespaceOptions = Selector & {export?: string};

async function runNamespaceDelete(
	context: CommandContext,
	options: DeleteNamespaceOptions,
	title?: string,
): Promise<void> {
	refuseLocal(options);
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
	options: Selector & {newName?: string},
	title?: string,
): Promise<void> {
	refuseLocal(options);
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
		renamedNamespace,
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

function refuseLocal(options: {local?: boolean}): void {
	if (!options.local) return;
	throw new Failure('usage', "Namespaces are managed on the service, so --local can't be used here.", {
		why: 'Local data needs no namespace: writing the first key to an id creates it.',
		next: 'Leave out --local, or use --simulate to try it out.',
	});
}
