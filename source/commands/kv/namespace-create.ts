import {Failure, isFailure, toFailure} from '../../failure.ts';
import {formatJurisdiction, jurisdictions, unchangeableJurisdiction} from '../../kv/jurisdiction.ts';
import {
	buildNamespaceTitle,
	checkNamespaceTitle,
	createNamespace,
	getNamespaceById,
	getNamespaceByTitle,
	type Namespace,
} from '../../kv/namespaces.ts';
import {toAccountPlace} from '../../session/write-place.ts';
import type {Configuration} from '../../settings/configuration.ts';
import {formatEntrySnippet, type NamespaceEntry, toBindingName} from '../../settings/namespace-entry.ts';
import {resolveEnvironmentName} from '../../settings/settings.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	createChoiceOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {buildPreviewOptions, createUnsupportedLocalOption, refuseLocalOption} from './options.ts';

const buildCreateOptions = () => [
	...buildPreviewOptions(),
	createSwitchOption('--no-prefix', 'use NAMESPACE unchanged as the title'),
	createSwitchOption('--if-missing', 'succeed if the title exists, and print its id'),
	createChoiceOption(
		'--jurisdiction <name>',
		'where its data is stored; cannot be changed later',
		jurisdictions,
	),
	createValueOption('--binding <name>', 'binding name in the snippet, instead of one derived from NAMESPACE'),
	createSwitchOption('--update-config', 'write the binding to the configuration file'),
	createUnsupportedLocalOption(),
];

type CreateOptions = OptionValues<typeof buildCreateOptions>;

export const namespaceCreateCommand = defineCommand({
	usage: 'create <NAMESPACE>',
	summary: 'create a namespace',
	example: 'kv namespace create SESSIONS --update-config',
	refusedByReadOnly: 'creating a namespace',
	sampleArguments: 'NEW --no-prefix',
	options: buildCreateOptions,
	run: runNamespaceCreate,
});

/** A namespace to create, and the entry of the configuration that names it. */
type NewNamespace = Pick<CreateOptions, 'jurisdiction' | 'ifMissing'> & {
	readonly title: string;
	readonly binding: string;
	readonly isPreview: boolean;
};

async function runNamespaceCreate(context: CommandContext, options: CreateOptions, name = ''): Promise<void> {
	refuseLocalOption(options);
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
		buildNamespaceTitle(name, {worker: configuration?.name, environment, isPreview, usesPrefix}),
	);
	const newNamespace = {...options, title, binding: toBindingName(options.binding ?? name), isPreview};
	const configurationToUpdate = options.updateConfig
		? await checkFileToUpdate(context, configuration, newNamespace)
		: undefined;
	const outcome = await createOrFind(context, newNamespace);
	const {namespace, isNew} = outcome;
	const {binding} = newNamespace;
	const entry = {
		binding,
		...(isPreview ? {previewId: namespace.id} : {id: namespace.id}),
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
	context.output.say(isNew ? 'Success!' : formatExisting(namespace));
	if (configurationToUpdate) await updateFile(context, configurationToUpdate, entry, outcome);
	else {
		const environmentNote = environment ? ` under [env.${environment}]` : '';
		context.output.say(
			`Add the following to your configuration file in your kv_namespaces array${environmentNote}:`,
		);
	}
	if (context.output.json)
		await context.output.writeJson([
			context.markSimulated({...namespace, binding, preview: isPreview, created: isNew}),
		]);
	else if (!configurationToUpdate)
		await context.output.writeText(`${formatEntrySnippet(configuration?.format ?? 'toml', entry)}\n`);
}

type Outcome = {readonly namespace: Namespace; readonly isNew: boolean};

/**
 * Creates a namespace. With `--if-missing`, returns the existing one of its title instead of failing: the
 * service decides whether it exists, so that two callers never create two.
 */
async function createOrFind(
	context: CommandContext,
	{title, jurisdiction, ifMissing}: NewNamespace,
): Promise<Outcome> {
	const {output, signal} = context;
	const account = await context.getAccount();
	const client = await context.client();
	await context.announceWrite({...toAccountPlace(account), label: `${account.label} › new namespace`});
	if (!context.options.dryRun) {
		const keptNote = jurisdiction === undefined ? '' : `, kept in ${formatJurisdiction(jurisdiction)}`;
		output.say(`Creating namespace with title "${title}"${keptNote}`);
	}
	try {
		const namespace = await context.auditWrite(`create namespace ${title}`, toAccountPlace(account), () =>
			createNamespace(client, account.id, {title, jurisdiction}, signal),
		);
		return {namespace, isNew: true};
	} catch (error) {
		if (!isFailure(error, 'already_exists')) throw error;
		if (!ifMissing)
			throw error.withDetails({next: 'Choose another name, or add --if-missing to use the existing one.'});
		const namespace = await getNamespaceByTitle(client, account.id, title, signal);
		checkJurisdiction(namespace, jurisdiction);
		return {namespace, isNew: false};
	}
}

/** Fails with `already_exists` if an existing namespace is not kept in the requested jurisdiction. */
function checkJurisdiction(
	{id, title, jurisdiction}: Namespace,
	requestedJurisdiction: string | undefined,
): void {
	if (requestedJurisdiction === undefined || jurisdiction === requestedJurisdiction) return;
	throw new Failure(
		'already_exists',
		`The namespace "${title}" exists, and is not kept in ${formatJurisdiction(requestedJurisdiction)}.`,
		{
			why: `It is kept in ${jurisdiction === undefined ? 'no jurisdiction' : formatJurisdiction(jurisdiction)} (id ${id}). ${unchangeableJurisdiction}`,
			next: 'Choose another name, or leave out --jurisdiction to use this one.',
		},
	);
}

const formatExisting = ({title, id, jurisdiction}: Namespace): string =>
	`The namespace "${title}" exists already (id ${id}${jurisdiction === undefined ? '' : `, kept in ${formatJurisdiction(jurisdiction)}`}).`;

/**
 * Returns the configuration that `--update-config` changes. Fails if there is none, with `--simulate`, or if
 * an id would be replaced without `--yes`. With `--if-missing`, an entry that already names the namespace is
 * no replacement.
 */
async function checkFileToUpdate(
	context: CommandContext,
	configuration: Configuration | undefined,
	{title, binding, isPreview, ifMissing}: NewNamespace,
): Promise<Configuration> {
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
		if (ifMissing && (await hasTitle(context, id, title))) return configuration;
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

/** True if the namespace of the service with this id has this title. */
async function hasTitle(context: CommandContext, id: string, title: string): Promise<boolean> {
	try {
		const {id: account} = await context.getAccount();
		const namespace = await getNamespaceById(await context.client(), account, id, context.signal);
		return namespace.title === title;
	} catch (error) {
		if (isFailure(error, 'namespace_not_found', 'not_found', 'refused_by_service')) return false;
		throw error;
	}
}

/** Writes the entry. If that fails, the failure contains the id, because the namespace exists by then. */
async function updateFile(
	context: CommandContext,
	{file, format}: Configuration,
	entry: NamespaceEntry,
	{namespace, isNew}: Outcome,
): Promise<void> {
	const {updateConfiguration} = await import('../../settings/configuration-edit.ts');
	try {
		const line = await updateConfiguration(file, format, entry);
		context.output.say(`Added binding "${entry.binding}" to ${file}:${line}.`);
	} catch (error) {
		throw toFailure(error).withDetails({
			left: `The namespace "${namespace.title}" ${isNew ? 'was created' : 'exists'} with the id ${namespace.id}; add this to the configuration file:\n${formatEntrySnippet(format, entry)}`,
		});
	}
}
