import {Failure} from '../../failure.ts';
import {
	type Analysis,
	analyse,
	type ExpressionProblem,
	maxExpressionLength,
	measureExpression,
	readEngineMessage,
} from '../../firewall/expression/expressions.ts';
import {validateExpression} from '../../firewall/rules/filters.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import {markStretch} from '../../terminal/expression-problems.ts';
import type {CommandContext} from '../shell/context.ts';
import {formatProblems, readExpression, toExpressionProblemJson, warnAboutExpression} from './expression.ts';
import {loadNamedZone} from './zone.ts';

type Verdict = Awaited<ReturnType<typeof validateExpression>>;

/** What ledge, the service, and the plan of the named zone say about an expression. */
type FilterValidation = {
	readonly analysis: Analysis;
	readonly verdict: Verdict;
	readonly zone: ChosenZone | undefined;
	/** Problems of this zone only: its plan lacks what the expression uses. */
	readonly planProblems: readonly ExpressionProblem[];
	readonly differenceText: string | undefined;
};

/**
 * `firewall filter validate`: validates an expression with ledge and with the service, whose verdict counts,
 * and prints any difference. If a zone is named, its plan is checked as well: the service checks no plan.
 * Exits with 0 if valid, else with 1.
 */
export async function validateFilterCommand(
	context: CommandContext,
	_options: object,
	expressionArgument: string,
): Promise<void> {
	const text = await readExpression(context, expressionArgument);
	refuseTooLong(text);
	const zone = await loadNamedZone(context);
	const verdict = await validateExpression(await context.client(), text, context.signal);
	const analysis = analyse(text);
	const planProblems = zone && analysis.errors.length === 0 ? analyse(text, {plan: zone.plan}).errors : [];
	const validation: FilterValidation = {
		analysis,
		verdict,
		zone,
		planProblems,
		differenceText: describeDifference(analysis, verdict),
	};
	const isValid = verdict.valid && planProblems.length === 0;
	if (context.output.json)
		await context.output.writeJson(context.markSimulated(toValidationJson(validation, isValid)));
	else await context.output.writeText(`${formatValidation(validation, isValid)}\n`);
	if (!context.output.json && isValid) warnAboutExpression(context, analysis);
	if (!isValid) context.setExitCode(1);
}

/** Fails without a call if the expression exceeds the service's limit. */
function refuseTooLong(text: string): void {
	const {characters, verdict} = measureExpression(text);
	if (verdict !== 'too long') return;
	throw new Failure('limit', 'The expression is too long; nothing was sent.', {
		why: `An expression can have at most ${maxExpressionLength} characters; this has ${characters}.`,
	});
}

function describeDifference({text, errors}: Analysis, verdict: Verdict): string | undefined {
	const [firstError] = errors;
	if (verdict.valid) {
		return firstError && 'The service accepts it, but ledge would not: the service may know more than ledge.';
	}
	if (!firstError) return 'The service rejects it, but ledge finds no error.';
	const parsedMessage = readEngineMessage(verdict.message, text);
	return parsedMessage && parsedMessage.span.start !== firstError.span.start
		? 'Ledge and the service report the error in different places.'
		: undefined;
}

function formatValidation(
	{analysis, verdict, zone, planProblems, differenceText}: FilterValidation,
	isValid: boolean,
): string {
	const {text, errors} = analysis;
	const ledgeLines = errors.length > 0 ? [formatProblems(text, errors)] : [];
	const serviceLines =
		differenceText !== undefined && !verdict.valid
			? ['The service says:', formatServiceMessage(verdict.message, text)]
			: [];
	const planLines = planProblems.length > 0 ? [formatProblems(text, planProblems)] : [];
	const zoneNote = planProblems.length > 0 ? ` in ${zone?.label}` : '';
	return [
		`${isValid ? 'valid' : 'not valid'}${zoneNote}`,
		...(differenceText === undefined ? [] : [differenceText]),
		...ledgeLines,
		...planLines,
		...serviceLines,
	].join('\n');
}

/** Formats the service's message like our own problems if it can be parsed. */
function formatServiceMessage(message: string, text: string): string {
	const parsedMessage = readEngineMessage(message, text);
	if (!parsedMessage) return message.trim();
	return [
		parsedMessage.sentence,
		...markStretch(text, parsedMessage.span.start, parsedMessage.span.end).map(line => `  ${line}`),
	].join('\n');
}

const toValidationJson = (
	{analysis, verdict, zone, planProblems, differenceText}: FilterValidation,
	isValid: boolean,
) => ({
	valid: isValid,
	service: verdict.valid ? {valid: true} : {valid: false, message: verdict.message},
	ledge: {
		valid: analysis.errors.length === 0,
		errors: analysis.errors.map(toExpressionProblemJson),
		warnings: analysis.warnings.map(toExpressionProblemJson),
	},
	zone: zone
		? {id: zone.id, plan: zone.plan ?? null, lacking: planProblems.map(toExpressionProblemJson)}
		: null,
	difference: differenceText ?? null,
});
