import type {ComparisonOperator, Operand} from '../grammar/tree.ts';

/**
 * True if a value that is compared may be any text, so that signs such as `*` can be meant literally: a query, a
 * header or a body, and any part of a URL that is searched.
 */
export function comparesFreeText(operand: Operand, operator: ComparisonOperator | undefined): boolean {
	if (operand.kind === 'call')
		return operand.arguments.some(
			argument => argument.kind !== 'expression' && comparesFreeText(argument, operator),
		);
	if (operand.kind !== 'field') return false;
	return freeText.test(operand.name) || (operator === 'contains' && wholeUrl.test(operand.name));
}

const freeText = /\.(?:query|args|body|cookies?|set_cookies|headers|claims)(?:\.|$)(?!mime$)/;
const wholeUrl = /\.(?:uri|full_uri|referer)$/;
