import {rulesetShortNames} from '../../managed/names.ts';
import {overrideActions, parseScoreThreshold} from '../../migration/configuration/mapping.ts';
import {createAllowUnknownOption, createExpressionOption} from '../firewall/options.ts';
import {createRuleOption} from '../rules/options.ts';
import {
	createListOption,
	createNumberOption,
	createParsedOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
	runLazily,
	withCompletion,
} from '../shell/declare.ts';

/** For changes that reduce the protection of a zone. */
type ConfirmOptions = {confirm?: string};

export type ManagedRestoreOptions = ConfirmOptions & {rule?: readonly string[]};
export type CatalogueOptions = {ruleset?: string};

const exampleId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01';

const createManagedConfirmOption = () =>
	createValueOption('--confirm <zone>', "the zone's name, required for a change that reduces protection");

/** `managed show`: the active managed rules of a zone. */
export const managedShowCommand = defineCommand({
	usage: 'show',
	summary: 'show the active managed rules: rulesets, settings, overrides, exceptions, fingerprint',
	example: 'managed show --zone example.com',
	sampleArguments: '--zone done.acme.example',
	run: runLazily(async () => (await import('./read.ts')).printManagedRules),
});

const buildManagedEditOptions = () => [
	withCompletion(
		createListOption('--deploy <ruleset>', 'deploy a managed ruleset, after all others'),
		rulesetShortNames,
	),
	withCompletion(
		createListOption('--remove <ruleset>', 'remove a deployed ruleset and its overrides'),
		rulesetShortNames,
	),
	withCompletion(createListOption('--on <ruleset>', 'turn a deployed ruleset on'), rulesetShortNames),
	withCompletion(
		createListOption('--off <ruleset>', 'turn it off, but keep its overrides'),
		rulesetShortNames,
	),
	createListOption('--ruleset <ruleset=values>', 'override all rules of a ruleset'),
	createListOption('--category <[ruleset:]name=values>', 'override a category (tag)'),
	createListOption('--rule <[ruleset:]id=values>', 'override a managed rule, see `ledge managed catalogue`'),
	createNumberOption('--paranoia <level>', 'OWASP paranoia level: 1 to 4', 1),
	createParsedOption(
		'--threshold <points>',
		'OWASP score threshold: act on requests that reach it; points, or high (25), medium (40) or low (60)',
		{
			parse: parseScoreThreshold,
			expectedFormat: 'a whole number of points of at least 1, or high, medium or low',
		},
	),
	withCompletion(
		createValueOption(
			'--threshold-action <action>',
			`action at the threshold: ${overrideActions.join(', ')}, default`,
		),
		[...overrideActions, 'default'],
	),
	createManagedConfirmOption(),
];

export type ManagedEditOptions = OptionValues<typeof buildManagedEditOptions>;

/** `managed edit`: one or more changes, sent as one. */
export const managedEditCommand = defineCommand({
	usage: 'edit',
	summary: 'change rulesets, their settings and overrides, all as one change',
	example: 'managed edit --zone example.com --threshold 25 --rule 5de7edfa648c4d6891dc3e7f84534ffa=log',
	refusedByReadOnly: 'changing managed rules',
	sampleArguments: '--zone done.acme.example --threshold 25',
	formatDetails: () =>
		`RULESET is platform, owasp or credentials, or the name or id of a ruleset. VALUES is on, off, an action\n(${overrideActions.join(', ')}), or both, comma-separated; default removes the override.`,
	options: buildManagedEditOptions,
	run: runLazily(async () => (await import('./edit.ts')).editManaged),
});

const buildExceptionOptions = () => [
	createExpressionOption(),
	createAllowUnknownOption(),
	createListOption('--skip <what>', 'all, comma-separated rulesets, or rules as RULESET:ID,ID; repeatable'),
	createValueOption('--description <text>', 'what the exception is for'),
	createSwitchOption('--paused', 'pause the exception'),
	createSwitchOption('--no-paused', "don't pause the exception").hideHelp(),
	createSwitchOption('--log', 'log what it skips (default)'),
	createSwitchOption('--no-log', "don't log what it skips"),
	createManagedConfirmOption(),
];

export type ExceptionOptions = OptionValues<typeof buildExceptionOptions>;

/** `managed exception`: requests that skip managed rules. */
export const managedExceptionCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list the exceptions in order, with what each skips',
		example: 'managed exception list --zone example.com',
		sampleArguments: '--zone done.acme.example',
		run: runLazily(async () => (await import('./read.ts')).printExceptions),
	}),
	defineCommand({
		usage: 'add',
		summary:
			'skip managed rules for some requests; the exception is placed before the first ruleset it skips',
		example: `managed exception add --zone example.com --expression 'http.host eq "search.example.com"' --skip owasp:6179ae15870a4bb7b2d480d4843b323c`,
		refusedByReadOnly: 'adding an exception to the managed rules',
		sampleArguments: "--zone done.acme.example --expression 'ip.src eq 203.0.113.77' --skip owasp",
		options: buildExceptionOptions,
		run: runLazily(async () => (await import('./exception.ts')).addException),
	}),
	defineCommand({
		usage: 'change <ID>',
		summary: 'change only the given settings of an exception',
		example: `managed exception change ${exampleId} --zone example.com --skip owasp`,
		refusedByReadOnly: 'changing an exception to the managed rules',
		sampleArguments: `${exampleId} --zone done.acme.example --description other`,
		options: buildExceptionOptions,
		run: runLazily(async () => (await import('./exception.ts')).changeException),
	}),
	defineCommand({
		usage: 'remove <ID...>',
		summary: 'remove exceptions; earlier versions still have them',
		example: `managed exception remove ${exampleId} --zone example.com`,
		refusedByReadOnly: 'removing exceptions to the managed rules',
		sampleArguments: `${exampleId} --zone done.acme.example`,
		run: runLazily(async () => (await import('./exception.ts')).removeExceptions),
	}),
];

const buildManagedApplyOptions = () => [
	createValueOption('--fingerprint <digits>', 'fingerprint of the reviewed configuration: 8 digits or more'),
	createNumberOption('--if-version <n>', 'only if this version is still active', 1),
	createValueOption('--confirm <zone>', "the zone's name; on a terminal, ledge asks for it"),
	createAllowUnknownOption(),
];

export type ManagedApplyOptions = OptionValues<typeof buildManagedApplyOptions>;

/** `managed apply`: a whole configuration. */
export const managedApplyCommand = defineCommand({
	usage: 'apply <FILE>',
	summary: 'apply a whole configuration; without its fingerprint, only show the differences',
	example:
		'managed apply managed.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
	refusedByReadOnly: 'changing managed rules',
	sampleArguments:
		'managed.json --zone done.acme.example --fingerprint 4f53cda18c2baa0c --confirm done.acme.example',
	formatDetails: () =>
		'FILE is the edited output of `managed show --json`, `migration config` or `migration export`; - is standard\ninput. A rule keeps its id if the file names it, or has a matching rule.',
	options: buildManagedApplyOptions,
	run: runLazily(async () => (await import('./apply.ts')).applyManaged),
});

/** `managed catalogue`: rules of managed rulesets. */
export const managedCatalogueCommand = defineCommand({
	usage: 'catalogue [WORDS...]',
	summary: 'search managed rules by name, id, tag or action; shows what each does in this zone',
	example: 'managed catalogue sql injection --zone example.com --ruleset owasp',
	sampleArguments: 'sqli --zone done.acme.example',
	options: () => [
		withCompletion(
			createValueOption('--ruleset <ruleset>', 'only the rules of this ruleset'),
			rulesetShortNames,
		),
	],
	run: runLazily(async () => (await import('./read.ts')).printCatalogueRules),
});

const buildRecreateOptions = () => [
	createNumberOption('--item <number>', 'recreate this item from the list', 1),
	createListOption(
		'--rule <[ruleset:]id>',
		"a managed rule the item refers to, if it can't be found by its id",
	),
	createManagedConfirmOption(),
];

export type RecreateOptions = OptionValues<typeof buildRecreateOptions>;

/** `managed recreate`: what the migration left behind. */
export const managedRecreateCommand = defineCommand({
	usage: 'recreate',
	summary: 'list what the migration left behind, or recreate one item',
	example: 'managed recreate --zone example.com --item 2',
	refusedByReadOnly: true,
	sampleArguments: '--zone done.acme.example --item 1',
	formatDetails: () =>
		'The list comes from the backup made before the migration, on the machine where it was made.',
	options: buildRecreateOptions,
	run: runLazily(async () => (await import('./recreate.ts')).recreateManaged),
});

/** `managed versions`. */
export const managedVersionsCommand = defineCommand({
	usage: 'versions [VERSION]',
	summary: 'list the versions of the managed rules, or the rules of one version',
	example: 'managed versions 3 --zone example.com',
	sampleArguments: '--zone done.acme.example',
	run: runLazily(async () => (await import('./read.ts')).printManagedVersions),
});

/** `managed restore`. */
export const managedRestoreCommand = defineCommand({
	usage: 'restore <VERSION>',
	summary: 'restore an earlier version, all of it or some rules',
	example: 'managed restore 3 --zone example.com',
	refusedByReadOnly: 'restoring managed rules',
	sampleArguments: '1 --zone done.acme.example',
	options: () => [createRuleOption(), createManagedConfirmOption()],
	run: runLazily(async () => (await import('./restore.ts')).restoreManaged),
});
