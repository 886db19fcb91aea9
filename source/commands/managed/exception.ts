import {Failure} from '../../failure.ts';
import {managedCommand} from '../../firewall/continuation.ts';
import {skipsFrom} from '../../managed/edit-words.ts';
import {propose, proposeEdits} from '../../managed/proposal.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import {type ExceptionDraft, readSkips} from '../../migration/configuration/exceptions.ts';
import {withExpression} from '../firewall/expression.ts';
import {idOf, idsOf} from '../firewall/options.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ExceptionOptions} from './managed.ts';
import {carryOut} from './write.ts';
import {type OpenedManaged, openToWrite} from './zone.ts';

/** `managed exception add`. */
export async function addException(context: CommandContext, given: ExceptionOptions): Promise<void> {
	const options = await withExpression(context, given);
	const {expression, skip} = options;
	if (expression === undefined)
		throw new Failure('usage', 'No expression was given.', {
			next: 'Specify which requests are meant: --expression.',
		});
	if (skip === undefined)
		throw new Failure('usage', 'What the exception skips was not given.', {
			next: 'Give --skip all, --skip owasp, or --skip owasp:ID,ID.',
		});
	const opened = await openToWrite(context);
	const exception = {expression, skips: skipsFrom(skip, opened.inForce), ...settings(options)};
	const change: Edit = {kind: 'exception added', exception};
	await edit(context, opened, change, options, 'add an exception from the managed rules');
}

/** `managed exception change`: reads the exception, and changes only what is given. */
export async function changeException(
	context: CommandContext,
	given: ExceptionOptions,
	word: string,
): Promise<void> {
	const id = idOf(word, 'managed exception');
	const options = await withExpression(context, given);
	const {expression, skip} = options;
	const named = settings(options);
	if (expression === undefined && skip === undefined && Object.keys(named).length === 0)
		throw new Failure('usage', 'Nothing to change was named.', {
			next: 'Give at least one of --expression, --skip, --description, --paused and --log.',
		});
	const opened = await openToWrite(context);
	const place = exceptionAt(opened, id);
	const rule = opened.inForce.configuration.rules[place];
	const skips = skip ? skipsFrom(skip, opened.inForce) : rule && readSkips(rule);
	if (!skips) throw unknownSkips(id);
	const exception = {expression: expression ?? rule?.expression ?? '', skips, ...named};
	const change: Edit = {kind: 'exception changed', rule: place, exception};
	await edit(context, opened, change, options, `change exception ${id} from the managed rules`);
}

/** `managed exception remove`: one call for all exceptions. */
export async function removeExceptions(
	context: CommandContext,
	_options: object,
	...words: string[]
): Promise<void> {
	const ids = idsOf(words, 'managed exception');
	const opened = await openToWrite(context);
	const {configuration} = opened.inForce;
	const places = new Set(ids.map(id => exceptionAt(opened, id)));
	const after = {...configuration, rules: configuration.rules.filter((_, index) => !places.has(index))};
	await carryOut(context, opened, propose(opened.inForce, after), {
		what: `remove ${ids.length === 1 ? 'exception' : 'exceptions'} ${ids.join(', ')} from the managed rules`,
		confirmed: undefined,
		isAsked: true,
	});
}

const edit = (
	context: CommandContext,
	opened: OpenedManaged,
	change: Edit,
	{allowUnknown, confirm}: ExceptionOptions,
	what: string,
): Promise<void> =>
	carryOut(context, opened, proposeEdits(opened.inForce, [change], {allowUnknown}), {
		what,
		confirmed: confirm,
	});

/** Returns the given settings of an exception; omitted ones stay unchanged. */
const settings = ({
	description,
	paused,
	log,
}: ExceptionOptions): Pick<ExceptionDraft, 'description' | 'enabled' | 'logging'> => ({
	...(description !== undefined && {description}),
	...(paused !== undefined && {enabled: !paused}),
	...(log !== undefined && {logging: log}),
});

/** Returns the index of an exception. Fails with `not_found`. */
function exceptionAt({zone, inForce}: OpenedManaged, id: string): number {
	const {rules} = inForce.configuration;
	const place = rules.findIndex(rule => rule.id === id);
	if (rules[place]?.action === 'skip') return place;
	throw new Failure(
		'not_found',
		place < 0
			? `There is no exception ${id} in ${zone.label}.`
			: `Rule ${id} of ${zone.label} is not an exception.`,
		{next: `See \`${managedCommand(zone, ['exception', 'list'])}\` for what there is.`},
	);
}

const unknownSkips = (id: string): Failure =>
	new Failure('usage', `Exception ${id} skips something that ledge does not know.`, {
		next: 'Give all that it is to skip with --skip.',
	});
