import type {Span} from '../grammar/problem.ts';
import type {Parser} from '../grammar/reading.ts';
import type {Expression} from '../grammar/tree.ts';

/** Warns that a revoked certificate still counts as verified. */
export function checkRevokedCertificates(parser: Parser, tree: Expression): void {
	const verified = 'cf.tls_client_auth.cert_verified';
	if (!parser.fields.has(verified) || parser.fields.has('cf.tls_client_auth.cert_revoked')) return;
	const found = findBareField(tree, verified);
	if (!found) return;
	parser.warning(found, 'A revoked certificate still counts as verified.', {
		correction: {
			span: {start: found.start, end: found.end},
			text: `(${verified} and not cf.tls_client_auth.cert_revoked)`,
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
