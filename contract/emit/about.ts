// What every document says about itself.

export const about = Object.freeze({
  contact: { name: 'Sibyl' },
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
});
