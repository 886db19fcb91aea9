// A worker loads a module of helpers once for many test files, so a hook in that module would run for the first of
// them alone. This file is loaded for each.
import {afterAll} from 'vitest';
import {runFileCleanups} from './file-end.ts';

afterAll(runFileCleanups);
