import type {Fault} from '../faults/faults.ts';
import {GraphQLError} from './graphql-language.ts';

/** Errors of queries and their messages; each is answered with status 200. */
const problems = {
	error: () => 'internal server error',
	'too-old': (seconds: number) => `cannot request data older than ${seconds}s`,
	'range-too-large': (most: number, given: number) =>
		`query time range is too large. Time range can't be wider than ${most}s, but it's ${given}s`,
	'limit-too-large': (most: number) => `limit must be positive number and not greater than ${most}`,
	'too-many-fields': (most: number) => `number of fields cannot be more than ${most}`,
	'not-authorized': (what: string) => `not authorized for that ${what}`,
	'no-access': (path: string) => `does not have access to the path ${path}: not available for your plan`,
	'budget-depleted': () => 'limit reached: rate limiter budget depleted, please try again after 5 minutes',
	'too-busy': () => 'too many queries in progress, please try again later',
	scope: (what: string) => `scope is too wide: a query can have ${what}`,
	arguments: (why: string) => `error parsing args: ${why}`,
} as const;

type Problem = keyof typeof problems;

export function createQueryProblem<Name extends Problem>(
	name: Name,
	...details: Parameters<(typeof problems)[Name]>
): GraphQLError {
	const message = (problems[name] as (...given: readonly unknown[]) => string)(...details);
	return new GraphQLError(message, name === 'not-authorized' ? {extensions: {code: 'authz'}} : {});
}

/** Creates the error of a fault; undefined for `partial`, which fails no single field. */
export function createFaultProblem(name: Exclude<Fault['analytics'], undefined>): GraphQLError | undefined {
	switch (name) {
		case 'partial':
			return undefined;
		case 'too-old':
			return createQueryProblem(name, 86_400);
		case 'range-too-large':
			return createQueryProblem(name, 86_400, 259_200);
		case 'limit-too-large':
			return createQueryProblem(name, 10);
		case 'too-many-fields':
			return createQueryProblem(name, 3);
		case 'not-authorized':
			return createQueryProblem(name, 'account');
		case 'error':
		case 'budget-depleted':
		case 'too-busy':
			return createQueryProblem(name);
	}
}
