import type {Parser} from '../grammar/parser.ts';
import type {Span} from '../grammar/problem.ts';
import type {Expression} from '../grammar/tree.ts';

/** Adds a hint that a revoked certificate still counts as verified. */
export function addRevokedCertificateHint(parser: Parser, tree: Expression): void {
	const verifiedField = 'cf.tls_client_auth.cert_verified';
	if (!parser.fields.has(verifiedField) || parser.fields.has('cf.tls_client_auth.cert_revoked')) return;
	const fieldSpan = findBareField(tree, verifiedField);
	if (!fieldSpan) return;
	parser.hint(fieldSpan, 'A revoked certificate still counts as verified.', {
		code: 'L051',
		correction: {
			span: {start: fieldSpan.start, end: fieldSpan.end},
			text: `(${verifiedField} and not cf.tls_client_auth.cert_revoked)`,
		},
	});
}

function findBareField(expression: Expression, name: string): Span | undefined {
	switch (expression.kind) {
		case 'logical':
			return expression.operands.map(operand => findBareField(operand, name)).find(Boolean);
		case 'not':
			return findBareField(expression.operand, name);
		case 'group':
			return findBareField(expression.inner, name);
		case 'bare':
			return expression.operand.kind === 'field' && expression.operand.name === name
				? expression.operand
				: undefined;
		case 'comparison':
			return undefined;
	}
}
