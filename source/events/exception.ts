import {formatEventSource} from '../analytics/event-words.ts';
import type {SecurityEvent} from '../analytics/events.ts';
import {maxExpressionLength, measureExpression} from '../firewall/expression/expressions.ts';
import {buildHostPathExpression} from '../firewall/rules/targets.ts';
import type {ExceptionDraft} from '../migration/configuration/exceptions.ts';
import {formatInteger} from '../text/figures.ts';
import {formatOneLine} from '../text/one-line.ts';
import {type KnownRules, type RuleReference, resolveEventRule} from './event-rule.ts';

/** A rule, with host and path if known. */
type ExceptionSubject = RuleReference & Partial<Pick<SecurityEvent, 'action' | 'host' | 'path'>>;

/**
 * A proposed exception, or a sentence that says why none is possible. If the expression is empty, the person
 * must type it.
 */
type ProposedException =
	| {
			readonly exception: Required<Pick<ExceptionDraft, 'expression' | 'skips'>> & {
				readonly description: string;
			};
	  }
	/** `needsCatalogue` is true if an exception may be possible once the managed rulesets are read. */
	| {readonly refused: string; readonly needsCatalogue?: boolean};

/** Columns of a proposed description; the service accepts more. */
const descriptionColumns = 50;

/** Proposes an exception that lets requests of a host and path pass a managed rule. Sends nothing. */
export function proposeEventException(event: ExceptionSubject, knownRules: KnownRules): ProposedException {
	const refusal = getExceptionRefusal(event);
	if (refusal !== undefined) return {refused: refusal};
	const {id, name, ruleset} = resolveEventRule(event, knownRules);
	if (id === undefined) return {refused: "The event doesn't say which rule caused it."};
	if (!ruleset)
		return {
			refused: `Can't find the managed ruleset of rule ${id}.`,
			needsCatalogue: knownRules.managed === undefined,
		};
	const {host, path} = event;
	const expression = path === undefined ? '' : buildHostPathExpression(host, path);
	const size = measureExpression(expression);
	if (size.characters > maxExpressionLength)
		return {
			refused: `The path is too long for an expression: ${formatInteger(size.characters)} characters; the limit is ${formatInteger(maxExpressionLength)}.`,
		};
	return {
		exception: {
			expression,
			skips: {kind: 'rules', rules: {[ruleset.id]: [id]}},
			description: formatOneLine(`False positive of ${name ?? id}`, descriptionColumns),
		},
	};
}

function getExceptionRefusal({source, action, ruleId}: ExceptionSubject): string | undefined {
	const {kind} = resolveEventRule({source, ruleId}, {});
	switch (kind) {
		case 'managed':
			return action === 'skip'
				? 'This event comes from an exception, which already skips managed rules.'
				: undefined;
		case 'previous':
			return 'Previous managed rules have no exceptions: a firewall rule that bypasses waf lets requests through.';
		case 'custom':
			return "Custom rules have no exceptions: edit the rule's expression instead.";
		case 'firewall':
			return "Firewall rules have no exceptions: edit the rule's expression instead.";
		case 'rate limit':
			return 'Rate limits have no exceptions: edit them with `ledge rules export` and `rules apply`.';
		case 'other':
			return `Only managed rules have exceptions, not ${formatEventSource(source)}.`;
		default:
			return kind satisfies never;
	}
}
