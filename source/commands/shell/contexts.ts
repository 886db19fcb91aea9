import {parseCredentialCommand} from '../../credentials/credential-command.ts';
import {findBoundProfile} from '../../credentials/login-profile.ts';
import {findWranglerFolder} from '../../credentials/wrangler-folder.ts';
import {Failure} from '../../failure.ts';
import {findContexts, getSignInField, requireContext} from '../../settings/contexts/active-context.ts';
import {type Context, contextColors} from '../../settings/contexts/context.ts';
import type {ContextFields} from '../../settings/contexts/edit.ts';
import {readContexts} from '../../settings/contexts/file.ts';
import {changeContexts} from '../../settings/contexts/write.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {formatTable} from '../../terminal/table.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {quoteShellWord} from '../../text/shell-word.ts';
import type {CommandContext, GlobalOptions} from './context.ts';
import {
	createChoiceOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from './declare.ts';

/** The options of `ledge context add`. */
const buildAddOptions = () => [
	createValueOption(
		'--credential-command <command>',
		'command that prints the credential: words or a JSON array',
	),
	createValueOption('--token-variable <name>', 'environment variable with the API token'),
	createChoiceOption('--target <where>', 'where key commands act', ['local', 'remote']),
	createSwitchOption('--production', 'ask before every write; scripts must name the context'),
	createChoiceOption('--color <color>', 'colour of its badge', contextColors),
];

type AddOptions = OptionValues<typeof buildAddOptions>;

/** `ledge context …`; these must work while the contexts file is invalid. */
export const contextCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list contexts and show which is in use',
		example: 'context list',
		isOffline: true,
		toleratesInvalidContexts: true,
		run: printContexts,
	}),
	defineCommand({
		usage: 'show [NAME]',
		summary: 'show a context; without a name, the active one',
		example: 'context show prod',
		isOffline: true,
		sampleArguments: 'prod',
		toleratesInvalidContexts: true,
		run: (context, _options, name) => printContext(context, name),
	}),
	defineCommand({
		usage: 'use [NAME]',
		summary: 'use a context by default from now on',
		example: 'context use staging',
		isOffline: true,
		sampleArguments: 'prod',
		toleratesInvalidContexts: true,
		options: () => [createSwitchOption('--none', 'use no context')],
		run: (context, {none = false}, name) => activateContext(context, name, none),
	}),
	defineCommand({
		usage: 'add <NAME>',
		summary: 'define a context; --account-id, --zone, --profile, --base-url and --read-only are saved in it',
		example: 'context add prod --profile work --zone example.com --production',
		isOffline: true,
		sampleArguments: 'another --zone acme.example',
		toleratesInvalidContexts: true,
		options: buildAddOptions,
		run: (context, options, name) => addContext(context, options, name),
	}),
	defineCommand({
		usage: 'remove <NAME>',
		summary: 'remove a context; changes nothing on the service',
		example: 'context remove staging',
		isOffline: true,
		sampleArguments: 'another',
		toleratesInvalidContexts: true,
		run: (context, _options, name) => removeContext(context, name),
	}),
];

async function printContexts({env, output}: CommandContext): Promise<void> {
	const contexts = await readContexts(env);
	const definedContexts = contexts?.all ?? [];
	if (output.json)
		return output.writeJson(
			definedContexts.map(context => ({
				...toContextJson(context),
				inUse: context.name === contexts?.inUseName,
			})),
		);
	if (definedContexts.length === 0) return output.writeText('No contexts defined.\n');
	await output.writeText(
		formatTable(
			[
				{title: '', cell: ({name}) => (name === contexts?.inUseName ? '*' : '')},
				{title: 'NAME', cell: ({name, production}) => (production ? `${name} (PRODUCTION)` : name)},
				{title: 'ACCOUNT', cell: ({accountId}) => accountId ?? '–'},
				{title: 'SIGN-IN', cell: formatSignIn},
				{title: 'ZONE', cell: ({zone}) => zone ?? '–'},
			],
			definedContexts,
		),
	);
}

async function printContext(
	{env, output, options, variables}: CommandContext,
	name: string | undefined,
): Promise<void> {
	const contexts = await readContexts(env);
	// How the context was named does not matter here, as it does not become active.
	const selectedContext =
		name === undefined
			? (await findContexts({options, variables, env})).active
			: requireContext(name, '--context', contexts, env);
	if (!selectedContext) {
		throw new Failure('context_unknown', 'No context is active.', {
			next: buildAdvice`Specify one; \`${buildCommand('context list')}\` lists them.`,
		});
	}
	if (output.json)
		return output.writeJson({
			...toContextJson(selectedContext),
			inUse: selectedContext.name === contexts?.inUseName,
		});
	const rows = Object.entries(toContextJson(selectedContext)).filter(
		([, value]) => value !== null && value !== false,
	);
	await output.writeText(
		formatTable(
			[
				{title: 'FIELD', cell: ([field]) => field},
				{title: 'VALUE', cell: ([, value]) => (Array.isArray(value) ? JSON.stringify(value) : String(value))},
			],
			rows,
		),
	);
}

async function activateContext(
	context: CommandContext,
	name: string | undefined,
	none: boolean,
): Promise<void> {
	if ((name === undefined) !== none) {
		throw new Failure('usage', none ? "A name and --none can't be combined." : 'No context was specified.', {
			next: buildAdvice`\`${buildCommand('context use', 'NAME')}\` selects a context, \`${buildCommand('context use', '--none')}\` clears it.`,
		});
	}
	const {env} = context;
	if (name !== undefined)
		await refuseConflictingFolder(context, requireContext(name, 'in use', await readContexts(env), env));
	await changeContexts({kind: 'use', name}, env, context.options);
	const plannedSentence = name === undefined ? 'Would use no context.' : `Would use ${name}.`;
	if (context.options.dryRun) return printPlannedChange(context, {inUse: name ?? null}, plannedSentence);
	await context.printResult(
		{inUse: name ?? null},
		name === undefined ? 'No context is in use.' : `In use: ${name}.`,
	);
}

/** Prints what a change would do, for `--dry-run`. */
async function printPlannedChange(context: CommandContext, value: object, sentence: string): Promise<void> {
	if (context.output.json) await context.output.writeJson({...value, dryRun: true});
	else context.output.say(`${sentence} Nothing was written.`);
}

/**
 * Fails if the context contradicts the account or login of this folder: `context use` must not override these
 * silently.
 */
async function refuseConflictingFolder(context: CommandContext, selectedContext: Context): Promise<void> {
	const {startFolder, configuration} = await context.sources();
	const configuredAccount = configuration?.accountId;
	const wranglerFolder = findWranglerFolder(context.variables, {});
	const boundLogin = wranglerFolder && findBoundProfile(startFolder, wranglerFolder);
	const conflicts = [
		...(configuredAccount &&
		selectedContext.accountId !== undefined &&
		configuredAccount.value !== selectedContext.accountId
			? [
					`${configuredAccount.from} sets the account ${configuredAccount.value}; the context "${selectedContext.name}" sets ${selectedContext.accountId}.`,
				]
			: []),
		...(boundLogin &&
		getSignInField(selectedContext) !== undefined &&
		boundLogin.name !== selectedContext.profile
			? [
					`${boundLogin.folder} is bound to the profile "${boundLogin.name}" in ${boundLogin.from}; the context "${selectedContext.name}" signs in with its ${getSignInField(selectedContext)}.`,
				]
			: []),
	];
	if (conflicts.length === 0) return;
	throw new Failure('account_unclear', `The context "${selectedContext.name}" conflicts with this folder.`, {
		why: conflicts.join('\n'),
		next: `Add --context ${selectedContext.name} to each command that should use it, or switch to it from another folder.`,
	});
}

async function addContext(
	context: CommandContext,
	options: AddOptions & GlobalOptions,
	name = '',
): Promise<void> {
	const {env} = context;
	const contexts = await readContexts(env);
	if (contexts?.all.some(existing => existing.name === name)) {
		throw new Failure('already_exists', `The context "${name}" already exists.`, {
			next: `Remove it first (\`ledge context remove ${quoteShellWord(name)}\`), or choose another name.`,
		});
	}
	const fields = buildContextFields(options);
	const file = await changeContexts({kind: 'add', name, fields}, env, context.options);
	if (context.options.dryRun)
		return printPlannedChange(
			context,
			{name, file, ...fields},
			`Would define the context "${name}" in ${file}.`,
		);
	await context.printResult({name, file, ...fields}, `Defined the context "${name}" in ${file}.`);
}

function buildContextFields(options: AddOptions & GlobalOptions): ContextFields {
	const {accountId, profile, credentialCommand, tokenVariable, baseUrl, target, readOnly, production, color} =
		options;
	const zone = options.zone ?? options.zoneId;
	const command =
		credentialCommand === undefined
			? undefined
			: parseCredentialCommand({value: credentialCommand, from: '--credential-command'}).value;
	return {
		...(accountId !== undefined && {account_id: accountId}),
		...(profile !== undefined && {profile}),
		...(command && {credential_command: command}),
		...(tokenVariable !== undefined && {token_variable: tokenVariable}),
		...(baseUrl !== undefined && {base_url: baseUrl}),
		...(zone !== undefined && {zone}),
		...(target !== undefined && {target}),
		...(readOnly && {read_only: true}),
		...(production && {production: true}),
		...(color !== undefined && {color}),
	};
}

async function removeContext(context: CommandContext, name = ''): Promise<void> {
	const {env, signal} = context;
	// How the context was named does not matter here, as it does not become active.
	const {production} = requireContext(name, '--context', await readContexts(env), env);
	if (production && !context.options.dryRun)
		await confirmAction(
			`Remove the context "${name}"? Writes to its account will no longer ask for confirmation.`,
			context.getConfirmation(),
			signal,
		);
	await changeContexts({kind: 'remove', name}, env, context.options);
	if (context.options.dryRun)
		return printPlannedChange(context, {name, removed: true}, `Would remove the context "${name}".`);
	await context.printResult({name, removed: true}, `Removed the context "${name}".`);
}

/** Converts a context to JSON, with the field names of the file in camel case. */
const toContextJson = (context: Context) => ({
	name: context.name,
	accountId: context.accountId ?? null,
	profile: context.profile ?? null,
	credentialCommand: context.credentialCommand ?? null,
	tokenVariable: context.tokenVariable ?? null,
	baseUrl: context.baseUrl ?? null,
	zone: context.zone ?? null,
	target: context.target ?? null,
	readOnly: context.readOnly ?? false,
	production: context.production,
	color: context.color ?? null,
});

function formatSignIn({profile, credentialCommand, tokenVariable}: Context): string {
	if (profile !== undefined) return `profile ${profile}`;
	if (credentialCommand) return `printed by ${credentialCommand[0]}`;
	return tokenVariable === undefined ? '–' : `$${tokenVariable}`;
}
