import { expect, it } from 'vitest';
import { isUsual, readFilters } from './filters.ts';

it('[WM3] knows whether anything was chosen; an order of the list leaves nothing out', () => {
  for (const search of ['', '?sort=created_at', '?state=active&type=all']) {
    expect([search, isUsual(readFilters(search))]).toEqual([search, true]);
  }
  for (const search of ['?category=weather', '?state=all', '?type=fast', '?watched=yes']) {
    expect([search, isUsual(readFilters(search))]).toEqual([search, false]);
  }
});
