import {analyse} from '../../firewall/expression/expressions.ts';
import {parseTargets, splitTargetWords, type Targets} from '../../firewall/rules/targets.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {needsAddressList} from '../../lists/overflow.ts';
import {type ExpressionEditing, getTypedExpression} from '../expression-editor/editing.ts';
import type {Interpretation} from '../expression-editor/messages.tsx';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** Addresses or paths typed in place of an expression. */
type TypedTargets = Exclude<Targets, {kind: 'unknown'}> & {
	/** Why their expression cannot be sent; undefined if it can. */
	readonly error: string | undefined;
};

/** Returns the addresses or paths typed in place of an expression: `203.0.113.9`, `/wp-login.php`. */
export function findTypedTargets({
	editing,
	zone,
}: {
	readonly editing: ExpressionEditing;
	readonly zone: ZoneWithLabel;
}): TypedTargets | undefined {
	const text = getTypedExpression(editing);
	const targets = parseTargets(text);
	if (!targets) return undefined;
	const expression = targets.kind === 'one' ? targets.expression : targets.any;
	const [error] = analyse(expression, zone).errors;
	const listAdvice = needsAddressList(splitTargetWords(text), expression)
		? ` Leave the form (esc), add them to an IP list (${nameKey('go.lists', 'I')}), and use: ip.src in $NAME`
		: '';
	return {...targets, error: error && `${error.sentence}${listAdvice}`};
}

/** Describes what enter makes of typed addresses and paths; undefined for an expression. */
export function describeTypedTargets(
	form: Parameters<typeof findTypedTargets>[0],
): Interpretation | undefined {
	const targets = findTypedTargets(form);
	if (!targets) return undefined;
	if (targets.error !== undefined) return {text: targets.error, isValid: false};
	return {
		text:
			targets.kind === 'both'
				? 'enter asks whether both the address and the path must match, or either'
				: `enter reads it as: ${targets.expression}`,
		isValid: true,
	};
}
