import type {Command} from 'commander';
import {Failure} from '../failure.ts';
import {
	createNamespace,
	deleteNamespace,
	type Namespace,
	namespaceById,
	namespaceByTitle,
	namespaces,
	namespaceTitle,
	renameNamespace,
} from '../kv/namespaces.ts';
import {confirm} from '../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import {declareCommand, declareGroup, switchOption, valueOption} from './declare.ts';
import {bindingOption, namespaceIdOption, previewOptions} from './kv-options.ts';

type Selector = {binding?: string; namespaceId?: string; preview?: boolean; local?: boolean};

/** `kv namespace create|list|delete|rename` (platform.md, "Endpoints", Area A). */
export function declareNamespaceCommands(kv: Command): void {
	const group = declareGroup(
		kv,
		'namespace',
		'create, list, rename and delete namespaces',
		'kv namespace list',
	);
	const local = () => switchOption('--local', 'refused: namespaces exist at the service only').hideHelp();

	declareCommand<{
		preview?: boolean;
		prefix?: boolean;
		binding?: string;
		updateConfig?: boolean;
		local?: boolean;
	}>(group, {
		usage: 'create <NAMESPACE>',
		summary: 'create a namespace',
		example: 'kv namespace create SESSIONS --update-config',
		options: () => [
			...previewOptions(),
			switchOption('--no-prefix', 'use NAMESPACE as the title as it is'),
			valueOption('--binding <name>', 'binding name in the snippet, instead of one made from NAMESPACE'),
			switchOption('--update-config', 'write the entry into the configuration file'),
			local(),
		],
		run: create,
	});

	declareCommand<{local?: boolean}>(group, {
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
			await context.output.value(found);
		},
	});

	declareCommand<Selector>(group, {
		usage: 'delete [TITLE]',
		summary: 'delete a namespace and every key in it',
		example: 'kv namespace delete --binding SESSIONS',
		options: () => [bindingOption(), namespaceIdOption(), ...previewOptions(), local()],
		run: remove,
	});

	declareCommand<Selector & {newName?: string}>(group, {
		usage: 'rename [TITLE]',
		summary: 'give a namespace another title',
		example: 'kv namespace rename worker-SESSIONS --new-name sessions',
		options: () => [
			valueOption('--new-name <title>', 'the new title, as it is').makeOptionMandatory(),
			bindingOption(),
			namespaceIdOption(),
			...previewOptions(),
			local(),
		],
		run: rename,
	});
}

async function create(
	context: CommandContext,
	options: {preview?: boolean; prefix?: boolean; binding?: string; updateConfig?: boolean; local?: boolean},
	name = '',
): Promise<void> {
	refuseLocal(options);
	if (name === '')
		throw new Failure('usage', 'The name of the namespace is empty.', {
			next: 'Name it: `ledge kv namespace create SESSIONS`.',
		});
	const configuration = await context.configuration();
	const environment = configuration?.environment ?? context.options.env;
	const preview = options.preview === true;
	const title = namespaceTitle(name, {
		worker: configuration?.name,
		environment,
		preview,
		prefix: options.prefix !== false,
	});
	const {bindingName, snippet, updateConfiguration} = await import('../config/configuration-edit.ts');
	if (options.updateConfig && !configuration) {
		throw new Failure('configuration_invalid', 'There is no configuration file to update.', {
			next: 'Make a wrangler.jsonc or wrangler.toml first, or leave out --update-config.',
		});
	}
	const account = await context.account();
	const client = await context.client();
	context.announceWrite(`${account.label} › new namespace`);
	if (!context.options.dryRun) context.output.say(`Creating namespace with title "${title}"`);
	const made = await context.audited(`create namespace ${title}`, account.label, () =>
		createNamespace(client, account.id, title, context.signal),
	);
	const entry = {
		binding: bindingName(options.binding ?? name),
		...(preview ? {previewId: made.id} : {id: made.id}),
		...(environment && {environment}),
	};
	if (context.options.dryRun) return;
	context.output.say('Success!');
	if (options.updateConfig && configuration) {
		const line = await updateConfiguration(configuration.file, configuration.format, entry);
		context.output.say(`Added binding "${entry.binding}" to ${configuration.file}:${line}.`);
	} else if (!context.output.json) {
		const where = environment ? ` under [env.${environment}]` : '';
		context.output.say(`Add the following to your configuration file in your kv_namespaces array${where}:`);
	}
	if (context.output.json) {
		await context.output.value([context.marked({...made, binding: entry.binding, preview})]);
	} else if (!options.updateConfig) {
		await context.output.text(`${snippet(configuration?.format ?? 'toml', entry)}\n`);
	}
}

async function remove(context: CommandContext, options: Selector, title?: string): Promise<void> {
	refuseLocal(options);
	const account = await context.account();
	const client = await context.client();
	const namespace = await chosen(context, options, title);
	const shown = namespace.title ? `"${namespace.title}" (id ${namespace.id})` : `id ${namespace.id}`;
	if (!context.options.dryRun) {
		const question = `Delete namespace ${shown} of ${account.label}, with every key in it? This cannot be undone.`;
		await confirm(question, context.confirmation(), context.signal);
		context.output.say(`Deleting namespace ${namespace.id}.`);
	}
	await context.audited(`delete namespace ${namespace.id}`, account.label, () =>
		deleteNamespace(client, account.id, namespace.id, context.signal),
	);
	await context.result(
		{id: namespace.id, title: namespace.title, deleted: true},
		`Deleted namespace ${namespace.id}.`,
	);
}

async function rename(
	context: CommandContext,
	options: Selector & {newName?: string},
	title?: string,
): Promise<void> {
	refuseLocal(options);
	const account = await context.account();
	const client = await context.client();
	const namespace = await chosen(context, options, title);
	const {newName = ''} = options;
	context.announceWrite(`${account.label} › ${namespace.title || namespace.id}`);
	const renamed = await context.audited(`rename namespace ${namespace.id} to ${newName}`, account.label, () =>
		renameNamespace(client, account.id, namespace.id, newName, context.signal),
	);
	await context.result(renamed, `Renamed namespace ${renamed.id} to "${renamed.title}".`);
}

/** The namespace meant by a title, a binding or an id: exactly one of them (decision 15). It must exist. */
async function chosen(
	context: CommandContext,
	options: Selector,
	title: string | undefined,
): Promise<Namespace> {
	const given = [title, options.binding, options.namespaceId].filter(one => one !== undefined);
	if (given.length !== 1) {
		throw new Failure(
			'usage',
			given.length === 0 ? 'No namespace was named.' : 'More than one namespace was named.',
			{
				next: 'Give exactly one of TITLE, --binding and --namespace-id.',
			},
		);
	}
	const client = await context.client();
	const account = await context.account();
	if (title !== undefined) return namespaceByTitle(client, account.id, title, context.signal);
	const choice = await context.choose(options, 'remote');
	return namespaceById(client, account.id, choice.id, context.signal);
}

function refuseLocal(options: {local?: boolean}): void {
	if (!options.local) return;
	throw new Failure('usage', 'Namespaces are made and deleted at the service; --local has no meaning here.', {
		why: 'Local data needs no namespace to be created: the first key written to an id makes it.',
		next: 'Leave out --local, or use --simulate to try it out.',
	});
}
