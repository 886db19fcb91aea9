/**
 * The part of graphql that is used. It is a file beside the bundles (esbuild.config.ts), loaded with the
 * first query.
 */
export {buildSchema, execute, GraphQLError, parse, validate} from 'graphql';
