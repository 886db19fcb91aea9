import type {Fault} from '../faults/faults.ts';
import {GraphQLError} from './graphql-language.ts';

/** Errors of queries and their messages; each is answered with status 200. */
const problems = {
	error: () => 'internal server error',
	'too-old': (seconds: number) => `cannot request data older than ${seconds}s`,
	'range-too-large': (max: number, requested: number) =>
		`query time range is too large. Time range can't be wider than ${max}s, but it's ${requested}s`,
	'limit-too-large': (max: number) => `limit must be positive number and not greater than ${max}`,
	'too-many-fields': (max: number) => `number of fields cannot be more than ${max}`,
	'not-authorized': (resource: string) => `not authorized for that ${resource}`,
	'no-access': (path: string) => `does not have access to the path ${path}: not available for your plan`,
	'budget-depleted': () => 'limit reached: rate limiter budget depleted, please try again after 5 minutes',
	'too-busy': () => 'too many queries in progress, please try again later',
	scope: (allowedScope: string) => `scope is too wide: a query can have ${allowedScope}`,
	arguments: (why: string) => `error parsing args: ${why}`,
} as const;

type Problem = keyof typeof problems;

export function createQueryProblem<Name extends Problem>(
	name: Name,
	...details: Parameters<(typeof problems)[Name]>
): GraphQLError {
	const message = (problems[name] as (...values: readonly unknown[]) => string)(...details);
	return new GraphQLError(message, name === 'not-authorized' ? {extensions: {code: 'authz'}} : {});
}

/** Creates the error of a fault; undefined for `partial`, which does not fail a single field. */
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
