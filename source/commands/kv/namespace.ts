import {asFailure, Failure} from '../../failure.ts';
import {
	checkTitle,
	createNamespace,
	deleteNamespace,
	type Namespace,
	namespaceById,
	namespaceByTitle,
	namespaces,
	namespaceTitle,
	renameNamespace,
} from '../../kv/namespaces.ts';
import type {Client} from '../../service/client.ts';
import {keepNamespaces} from '../../session/listings.ts';
import {placeOfAccount} from '../../session/write-place.ts';
import type {Configuration} from '../../settings/configuration.ts';
import type {NamespaceSelection} from '../../settings/namespace-choice.ts';
import {bindingName, type NamespaceEntry, snippet} from '../../settings/namespace-entry.ts';
import {environmentName} from '../../settings/settings.ts';
import {confirm} from '../../terminal/prompt.ts';
import {advice, ledge} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, type OptionValues, switchOption, valueOption} from '../shell/declare.ts';
import {bindingOption, namespaceIdOption, previewOptions} from './options.ts';

type Selector = NamespaceSelection & {local?: boolean};

const local = () => switchOption('--local', 'refused: namespaces exist at the service only').hideHelp();

const createOptions = () => [
	...previewOptions(),
	switchOption('--no-prefix', 'use NAMESPACE as the title as it is'),
	valueOption('--binding <name>', 'binding name in the snippet, instead of one made from NAMESPACE'),
	switchOption('--update-config', 'write the entry into the configuration file'),
	local(),
];

type CreateOptions = OptionValues<typeof createOptions>;

export const namespaceCommands = [
	defineCommand({
		usage: 'create <NAMESPACE>',
		summary: 'create a namespace',
		example: 'kv namespace create SESSIONS --update-config',
		writes: 'creating a namespace',
		sample: 'NEW --no-prefix',
		options: createOptions,
		run: create,
	}),

	defineCommand({
		usage: 'list',
		summary: 'list all namespaces of the account',
		example: 'kv namespace list',
		options: () => [local()],
		async run(context, options) {
			refuseLocal(options);
			const client = await context.client();
			const account = await context.account();
			const found: Namespace[] = [];
			for await (const namespace of namespaces(client, account.id, context.signal)) found.push(namespace);
			keepNamespaces(context.session, client, account.id, found);
			await context.output.value(found);
		},
	}),

	defineCommand({
		usage: 'delete [TITLE]',
		summary: 'delete a namespace and every key in it',
		example: 'kv namespace delete --binding SESSIONS --export sessions.ndjson.gz',
		writes: 'deleting a namespace',
		sample: '--namespace-id {namespace}',
		options: () => [
			valueOption(
				'--export <file>',
				'export its keys into a file first; nothing is deleted where that fails',
			),
			bindingOption(),
			namespaceIdOption(),
			...previewOptions(),
			local(),
		],
		run: remove,
	}),

	defineCommand({
		usage: 'rename [TITLE]',
		summary: 'rename a namespace',
		example: 'kv namespace rename worker-SESSIONS --new-name sessions',
		writes: 'renaming a namespace',
		sample: '--namespace-id {namespace} --new-name OTHER',
		options: () => [
			valueOption('--new-name <title>', 'the new title, as it is').makeOptionMandatory(),
			bindingOption(),
			namespaceIdOption(),
			...previewOptions(),
			local(),
		],
		run: rename,
	}),
];

async function create(context: CommandContext, options: CreateOptions, name = ''): Promise<void> {
	refuseLocal(options);
	if (name === '') {
		throw new Failure('usage', 'The name of the namespace is empty.', {
			next: advice`Name it: \`${ledge('kv namespace create SESSIONS')}\`.`,
		});
	}
	const configuration = await context.configuration();
	const environment = configuration?.environment ?? environmentName(await context.sources())?.value;
	const preview = options.preview === true;
	const prefix = options.prefix !== false;
	const title = checkTitle(namespaceTitle(name, {worker: configuration?.name, environment, preview, prefix}));
	const binding = bindingName(options.binding ?? name);
	const file = options.updateConfig ? fileToUpdate(context, configuration, binding, preview) : undefined;

	const account = await context.account();
	const client = await context.client();
	await context.announceWrite({...placeOfAccount(account), label: `${account.label} › new namespace`});
	if (!context.options.dryRun) context.output.say(`Creating namespace with title "${title}"`);
	const made = await context.audited(`create namespace ${title}`, placeOfAccount(account), () =>
		createNamespace(client, account.id, title, context.signal),
	);
	const entry = {
		binding,
		...(preview ? {previewId: made.id} : {id: made.id}),
		...(environment && {environment}),
	};
	if (context.options.dryRun) {
		if (file)
			context.planned({local: file.file, operation: `add binding ${binding} with the id from step 1`});
		return;
	}
	context.output.say('Success!');
	if (file) await updateFile(context, file, entry, made);
	else {
		const where = environment ? ` under [env.${environment}]` : '';
		context.output.say(`Add the following to your configuration file in your kv_namespaces array${where}:`);
	}
	if (context.output.json) await context.output.value([context.marked({...made, binding, preview})]);
	else if (!file) await context.output.text(`${snippet(configuration?.format ?? 'toml', entry)}\n`);
}

/** Returns the configuration file that `--update-config` changes, if nothing in it would be lost. */
function fileToUpdate(
	context: CommandContext,
	configuration: Configuration | undefined,
	binding: string,
	preview: boolean,
): Configuration {
	if (context.options.simulate) {
		throw new Failure('usage', '--update-config and --simulate exclude each other.', {
			why: 'A simulated namespace has no place in the configuration of a real Worker.',
			next: 'Leave one of them out.',
		});
	}
	if (!configuration) {
		throw new Failure('configuration_invalid', 'There is no configuration file to update.', {
			next: 'Make a wrangler.jsonc or wrangler.toml first, or leave out --update-config.',
		});
	}
	const {environment, environments} = configuration;
	// An environment that the file does not define has no bindings yet: the active ones are of the top level.
	if (environment !== undefined && !environments.includes(environment)) return configuration;
	const there = configuration.namespaces.find(one => one.binding === binding);
	const id = preview ? there?.previewId : there?.id;
	if (there && id !== undefined && !context.options.yes) {
		throw new Failure(
			'unconfirmed',
			`The binding "${binding}" has ${preview ? 'a preview id' : 'an id'} already.`,
			{
				why: `${configuration.shownAs}:${there.line} names ${id}; the new namespace would take its place.`,
				next: 'Choose another name with --binding, or add --yes to replace it.',
			},
		);
	}
	return configuration;
}

/** Writes the entry. If that fails, the failure carries the id: the namespace exists already. */
async function updateFile(
	context: CommandContext,
	{file, format}: Configuration,
	entry: NamespaceEntry,
	made: Namespace,
): Promise<void> {
	const {updateConfiguration} = await import('../../settings/configuration-edit.ts');
	try {
		const line = await updateConfiguration(file, format, entry);
		context.output.say(`Added binding "${entry.binding}" to ${file}:${line}.`);
	} catch (error) {
		throw asFailure(error).with({
			left: `The namespace "${made.title}" was created with the id ${made.id}; what is to be added:\n${snippet(format, entry)}`,
		});
	}
}

type RemoveOptions = Selector & {export?: string};

async function remove(context: CommandContext, options: RemoveOptions, title?: string): Promise<void> {
	refuseLocal(options);
	const find = await chosen(context, options, title);
	const account = await context.account();
	const client = await context.client();
	const namespace = await find(client, account.id);
	const shown = namespace.title ? `"${namespace.title}" (id ${namespace.id})` : `id ${namespace.id}`;
	await context.announceWrite({
		...placeOfAccount(account),
		label: `${account.label} › ${namespace.title || namespace.id}`,
	});
	if (!context.options.dryRun) {
		const keeping =
			options.export === undefined
				? 'This cannot be undone; --export FILE keeps its keys in a file first.'
				: `Its keys are exported into ${options.export} first; nothing else keeps them.`;
		const question = `Delete namespace ${shown} of ${account.label}, with every key in it? ${keeping}`;
		await confirm(question, context.confirmation(), context.signal);
		if (options.export !== undefined) {
			const {exportBefore} = await import('./export.ts');
			await exportBefore(context, {...namespace, account: account.id}, options.export);
		}
		context.output.say(`Deleting namespace ${namespace.id}.`);
	}
	await context.audited(`delete namespace ${namespace.id}`, placeOfAccount(account), () =>
		deleteNamespace(client, account.id, namespace.id, context.signal),
	);
	await context.result(
		{
			id: namespace.id,
			title: namespace.title,
			deleted: true,
			...(options.export !== undefined && {export: context.resolve(options.export)}),
		},
		`Deleted namespace ${namespace.id}.`,
	);
}

async function rename(
	context: CommandContext,
	options: Selector & {newName?: string},
	title?: string,
): Promise<void> {
	refuseLocal(options);
	const newName = checkTitle(options.newName ?? '');
	const find = await chosen(context, options, title);
	const account = await context.account();
	const client = await context.client();
	const namespace = await find(client, account.id);
	await context.announceWrite({
		...placeOfAccount(account),
		label: `${account.label} › ${namespace.title || namespace.id}`,
	});
	const renamed = await context.audited(
		`rename namespace ${namespace.id} to ${newName}`,
		placeOfAccount(account),
		() => renameNamespace(client, account.id, namespace.id, newName, context.signal),
	);
	await context.result(renamed, `Renamed namespace ${renamed.id} to "${renamed.title}".`);
}

/**
 * Returns a function that finds the namespace named by a title, a binding or an id: exactly one of them.
 * Wrong use fails before the service is called; the function fails if the namespace does not exist.
 */
async function chosen(
	context: CommandContext,
	options: Selector,
	title: string | undefined,
): Promise<(client: Client, account: string) => Promise<Namespace>> {
	const given = [title, options.binding, options.namespaceId].filter(one => one !== undefined);
	if (given.length !== 1) {
		throw new Failure('usage', `${given.length === 0 ? 'No' : 'More than one'} namespace was named.`, {
			next: 'Give exactly one of TITLE, --binding and --namespace-id.',
		});
	}
	if (title !== undefined) {
		checkTitle(title);
		return (client, account) => namespaceByTitle(client, account, title, context.signal);
	}
	const {id} = await context.choose(options, 'remote');
	return (client, account) => namespaceById(client, account, id, context.signal);
}

function refuseLocal(options: {local?: boolean}): void {
	if (!options.local) return;
	throw new Failure('usage', 'Namespaces are made and deleted at the service; --local has no meaning here.', {
		why: 'Local data needs no namespace to be created: the first key written to an id makes it.',
		next: 'Leave out --local, or use --simulate to try it out.',
	});
}
