import {Failure} from '../../failure.ts';
import {formatManagedCommand} from '../../firewall/commands.ts';
import {parseSkipWords} from '../../managed/edit-words.ts';
import {proposeConfiguration, proposeEdits} from '../../managed/proposal.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {type ExceptionDraft, parseSkips} from '../../migration/configuration/exceptions.ts';
import {resolveStdinExpression} from '../firewall/expression.ts';
import {parseId, parseIds} from '../firewall/options.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ExceptionOptions} from './managed.ts';
import {sendManagedChange} from './write.ts';
import {type OpenedManagedZone, openManagedForWriting} from './zone.ts';

/** `managed exception add`. */
export async function addException(context: CommandContext, rawOptions: ExceptionOptions): Promise<void> {
	const options = await resolveStdinExpression(context, rawOptions);
	const {expression, skip} = options;
	if (expression === undefined)
		throw new Failure('usage', 'No expression was given.', {
			next: 'Specify the requests to match with --expression.',
		});
	if (skip === undefined)
		throw new Failure('usage', 'Nothing to skip was given.', {
			next: 'Give --skip all, --skip owasp, or --skip owasp:ID,ID.',
		});
	const managedZone = await openManagedForWriting(context);
	const exception = {
		expression,
		skips: parseSkipWords(skip, managedZone.managedState),
		...pickExceptionSettings(options),
	};
	const change: ConfigurationEdit = {kind: 'exception added', exception};
	await sendExceptionEdit(context, managedZone, change, options, 'add an exception to the managed rules');
}

/** `managed exception change`: reads the exception, and changes only the given settings. */
export async function changeException(
	context: CommandContext,
	rawOptions: ExceptionOptions,
	idArgument: string,
): Promise<void> {
	const id = parseId(idArgument, 'managed exception');
	const options = await resolveStdinExpression(context, rawOptions);
	const {expression, skip} = options;
	const changes = pickExceptionSettings(options);
	if (expression === undefined && skip === undefined && Object.keys(changes).length === 0)
		throw new Failure('usage', 'Nothing to change.', {
			next: 'Give at least one of --expression, --skip, --description, --paused and --log.',
		});
	const managedZone = await openManagedForWriting(context);
	const index = getExceptionIndex(managedZone, id);
	const rule = managedZone.managedState.configuration.rules[index];
	const skips = skip ? parseSkipWords(skip, managedZone.managedState) : rule && parseSkips(rule);
	if (!skips) throw buildUnknownSkipsFailure(id);
	const exception = {expression: expression ?? rule?.expression ?? '', skips, ...changes};
	const change: ConfigurationEdit = {kind: 'exception changed', rule: index, exception};
	await sendExceptionEdit(context, managedZone, change, options, `change the managed rules exception ${id}`);
}

/** `managed exception remove`: one call for all exceptions. */
export async function removeExceptions(
	context: CommandContext,
	_options: object,
	...words: string[]
): Promise<void> {
	const ids = parseIds(words, 'managed exception');
	const managedZone = await openManagedForWriting(context);
	const {configuration} = managedZone.managedState;
	const indexes = new Set(ids.map(id => getExceptionIndex(managedZone, id)));
	const targetConfiguration = {
		...configuration,
		rules: configuration.rules.filter((_, index) => !indexes.has(index)),
	};
	await sendManagedChange(
		context,
		managedZone,
		proposeConfiguration(managedZone.managedState, targetConfiguration),
		{
			auditText: `remove managed rules ${ids.length === 1 ? 'exception' : 'exceptions'} ${ids.join(', ')}`,
			confirmOption: undefined,
			alwaysAsks: true,
		},
	);
}

const sendExceptionEdit = (
	context: CommandContext,
	managedZone: OpenedManagedZone,
	change: ConfigurationEdit,
	{allowUnknown, confirm}: ExceptionOptions,
	auditText: string,
): Promise<void> =>
	sendManagedChange(context, managedZone, proposeEdits(managedZone.managedState, [change], {allowUnknown}), {
		auditText,
		confirmOption: confirm,
	});

/** Returns the given settings of an exception; omitted ones stay unchanged. */
const pickExceptionSettings = ({
	description,
	paused,
	log,
}: ExceptionOptions): Pick<ExceptionDraft, 'description' | 'enabled' | 'logging'> => ({
	...(description !== undefined && {description}),
	...(paused !== undefined && {enabled: !paused}),
	...(log !== undefined && {logging: log}),
});

/** Returns the index of an exception. Fails with `not_found`. */
function getExceptionIndex({zone, managedState}: OpenedManagedZone, id: string): number {
	const {rules} = managedState.configuration;
	const index = rules.findIndex(rule => rule.id === id);
	if (rules[index]?.action === 'skip') return index;
	throw new Failure(
		'not_found',
		index < 0
			? `There is no exception ${id} in ${zone.label}.`
			: `Rule ${id} in ${zone.label} is not an exception.`,
		{next: `To list the exceptions: \`${formatManagedCommand(zone, ['exception', 'list'])}\``},
	);
}

const buildUnknownSkipsFailure = (id: string): Failure =>
	new Failure('usage', `Exception ${id} skips something that ledge doesn't recognize.`, {
		next: 'List everything it should skip with --skip.',
	});
